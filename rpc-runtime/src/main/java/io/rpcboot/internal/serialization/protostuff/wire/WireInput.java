package io.rpcboot.internal.serialization.protostuff.wire;

import java.util.Arrays;

import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.DetachedBytes;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Reads protostuff's wire format from a range of an array and never beyond it: each
 * length is compared with what remains before anything is allocated, and a group ends
 * within the range. {@link ProtostuffInput}, {@link Text}, {@link Pairs} and
 * {@link Groups} read the values that are not bytes. For one thread and one message.
 */
abstract class WireInput extends ReadBudget {

	private static final char[] NO_CHARS = {};

	private static final byte[] NO_BYTES = {};

	public byte[] array;

	public int limit;

	public int position;

	int depth;

	/** The tag that was read last. */
	int lastTag;

	/** Bytes that are not in the array; null if there are none, or if they were read. */
	public @Nullable DetachedBytes apart;

	char[] chars = NO_CHARS;

	WireInput(byte[] array, int offset, int length) {
		super(length);
		read(array, offset, length);
	}

	/** The same as {@link #tryTag} for a tag of several bytes. */
	abstract boolean tryLongTag(int tag);

	/** Nothing reads from this input until it is given another message. */
	public final void clear() {
		this.array = NO_BYTES;
		this.chars = NO_CHARS;
	}

	/** Begin another message. */
	public final void read(byte[] array, int offset, int length) {
		if (offset < 0 || length < 0 || length > array.length - offset) {
			throw new IllegalArgumentException("%d + %d (expected: up to %d)".formatted(offset, length, array.length));
		}
		this.array = array;
		this.position = offset;
		this.limit = offset + length;
		this.allowance = ALLOWED + (long) ALLOWED_FACTOR * length;
		this.compared = 0;
		this.hashed = 0;
		this.depth = 0;
		this.lastTag = 0;
	}

	@Override
	public long size() {
		return this.position + this.compared;
	}

	/** Read the next tag if it is the given one. */
	public final boolean tryTag(int tag) {
		if (tag > 0 && tag < 0x80) {
			if (this.position == this.limit || this.array[this.position] != tag) {
				return false;
			}
			this.position++;
			this.lastTag = tag;
			return true;
		}
		return tryLongTag(tag);
	}

	/** Refuse what is left over behind a message. */
	public final void requireEnd() {
		if (this.position != this.limit || this.apart != null) {
			throw DetachedByteArrays.leftOver(this);
		}
	}

	public final long readInt64() {
		int at = this.position;
		if (at < this.limit && this.array[at] >= 0) {
			this.position = at + 1;
			return this.array[at];
		}
		return readLongVarint();
	}

	private long readLongVarint() {
		int at = this.position;
		long value = 0;
		for (int shift = 0; shift < Long.SIZE && at < this.limit; shift += 7) {
			byte b = this.array[at++];
			value |= (b & 0x7FL) << shift;
			if (b >= 0 && (shift < 63 || b <= 1)) {
				this.position = at;
				return value;
			}
		}
		if (at == this.limit) {
			throw new PathException("the bytes end too early");
		}
		throw new PathException("number of more than 64 bits");
	}

	public final byte[] readByteArray() {
		return (this.apart == null) ? copyByteArray() : DetachedByteArrays.read(this, this.apart);
	}

	final byte[] copyByteArray() {
		int length = readLength();
		int at = take(length);
		this.allowance -= OBJECT + length;
		return Arrays.copyOfRange(this.array, at, at + length);
	}

	/** A length, of which as many bytes remain. */
	final int readLength() {
		int length = readUInt32();
		if (length < 0 || length > this.limit - this.position) {
			throw DetachedByteArrays.tooLong(this, length);
		}
		return length;
	}

	public final int readUInt32() {
		long value = readInt64();
		if (value >>> Integer.SIZE != 0) {
			throw new PathException("number %s (expected: 32 bits)".formatted(Long.toUnsignedString(value)));
		}
		return (int) value;
	}

	/** Pass over bytes and return the index of the first. */
	final int take(int bytes) {
		int at = this.position;
		if (bytes > this.limit - at) {
			throw new PathException("the bytes end too early");
		}
		this.position = at + bytes;
		return at;
	}

}
