package io.rpcboot.internal.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** Stream of bytes over the elements of another side, for one thread. */
final class ByteStream extends InputStream {

	/**
	 * Largest element that is made of a stream of bytes. With what is around it, it fits
	 * into the window of a stream, also into that of others, 65,535 bytes.
	 */
	private static final int PART = 60 * 1024;

	/** Bytes around a part in its message: a tag, and a length of up to 3 bytes. */
	private static final int AROUND = 16;

	private final TakenIterator parts;

	private byte[] part = {};

	/** Index of the next byte in the part. */
	private int index;

	private boolean closed;

	ByteStream(TakenIterator parts) {
		this.parts = parts;
	}

	/**
	 * Returns the parts of a stream, each what one read gives.
	 * @param most longest message of an element, in bytes
	 */
	static Iterator<byte[]> parts(InputStream from, int most) {
		return new Parts(from, most);
	}

	/** Closes a stream that was read. */
	static void close(InputStream from) {
		try {
			from.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public int read() throws IOException {
		return fill() ? this.part[this.index++] & 0xff : -1;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		Objects.checkFromIndexSize(offset, length, target.length);
		if (length == 0) {
			return 0;
		}
		if (!fill()) {
			return -1;
		}
		int count = Math.min(length, this.part.length - this.index);
		System.arraycopy(this.part, this.index, target, offset, count);
		this.index += count;
		return count;
	}

	/** Returns the bytes that have arrived of the part that is being read. */
	@Override
	public int available() {
		return this.part.length - this.index;
	}

	/** Takes the next part if none is left. Returns false at the end. */
	private boolean fill() throws IOException {
		if (this.closed) {
			throw new IOException("the stream is closed");
		}
		try {
			while (this.index == this.part.length) {
				if (!this.parts.hasNext()) {
					return false;
				}
				this.part = (byte[]) this.parts.next();
				this.index = 0;
			}
			return true;
		}
		catch (RuntimeException ex) { // the failure of the call, or a declared exception
			Throwable cause = ex.getCause();
			if (cause instanceof IOException declared) {
				throw declared;
			}
			throw new IOException(ex.getMessage(), ex);
		}
	}

	/** Ends the call, unless all was read. */
	@Override
	public void close() {
		if (!this.closed) {
			this.closed = true;
			this.parts.cancel();
		}
	}

	/** Parts of a stream. */
	private static final class Parts implements Iterator<byte[]> {

		private final InputStream from;

		private byte[] buffer;

		private byte @Nullable [] next;

		Parts(InputStream from, int most) {
			this.from = from;
			this.buffer = new byte[Math.max(1, Math.min(PART, most - AROUND))];
		}

		@Override
		public boolean hasNext() {
			if (this.next == null) {
				try {
					int count = this.from.read(this.buffer);
					this.next = (count > 0) ? part(count) : null;
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
			return this.next != null;
		}

		/** Returns the bytes that were read, without a copy if they fill the buffer. */
		private byte[] part(int count) {
			if (count < this.buffer.length) {
				return Arrays.copyOf(this.buffer, count);
			}
			byte[] full = this.buffer;
			this.buffer = new byte[full.length];
			return full;
		}

		@Override
		public byte[] next() {
			if (!hasNext()) {
				throw new NoSuchElementException("the stream has ended");
			}
			byte[] taken = Objects.requireNonNull(this.next);
			this.next = null;
			return taken;
		}

	}

}
