package io.rpcboot.benchmarks.streams;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Elements that every system sends.
 */
final class Elements {

	/** Each byte of an element. */
	static final byte MARK = 'e';

	private static final byte[] PATTERN = of(64 * 1024);

	private Elements() {
	}

	/**
	 * An element, which the sender sends again and again.
	 * @param bytes its size
	 */
	static byte[] of(int bytes) {
		byte[] element = new byte[bytes];
		Arrays.fill(element, MARK);
		return element;
	}

	/**
	 * Checks the ends of an element that has arrived.
	 * @return its size
	 */
	static int check(byte[] element) {
		return check(element[0], element[element.length - 1], element.length);
	}

	static int check(byte first, byte last, int bytes) {
		if (first != MARK || last != MARK) {
			throw new IllegalStateException(
					"element: begins with " + first + " and ends with " + last + " (expected: " + MARK + ")");
		}
		return bytes;
	}

	/** Bytes that a server reads as a file. */
	static InputStream stream(long bytes) {
		return new InputStream() {

			private long left = bytes;

			@Override
			public int read() {
				byte[] one = new byte[1];
				return (read(one, 0, 1) < 0) ? -1 : one[0];
			}

			@Override
			public int read(byte[] buffer, int offset, int length) {
				if (this.left == 0) {
					return -1;
				}
				int part = (int) Math.min(Math.min(length, PATTERN.length), this.left);
				System.arraycopy(PATTERN, 0, buffer, offset, part);
				this.left -= part;
				return part;
			}

		};
	}

	/** Reads to the end of a stream as a caller does, with a buffer of 64 KB. */
	static long readAll(InputStream stream) throws IOException {
		byte[] buffer = new byte[PATTERN.length];
		long sum = 0;
		int read;
		while ((read = stream.read(buffer, 0, buffer.length)) >= 0) {
			if (read > 0) {
				sum += check(buffer[0], buffer[read - 1], read);
			}
		}
		return sum;
	}

}
