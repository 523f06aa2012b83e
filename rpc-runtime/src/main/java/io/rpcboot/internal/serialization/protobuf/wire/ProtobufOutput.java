package io.rpcboot.internal.serialization.protobuf.wire;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.LittleEndian;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Writes protobuf's wire format straight into the array of an {@link OutputBuffer}, which
 * must not have an overflow, because the length in front of a nested message is known
 * last; only {@link #longValues} may take bytes from the array. A {@code put} method
 * writes the field of a primitive, which is absent if it is zero. A {@code pack} method
 * writes an element of a packed field, without a tag.
 */
public final class ProtobufOutput extends ProtostuffOutput {

	/** Largest size of a varint, in bytes. */
	private static final int VARINT = 10;

	/** True if no more bytes may be reserved than the message needs. */
	private boolean isExact;

	/** Receiver of long byte arrays of the outermost message, null without one. */
	private OutputBuffer.@Nullable Overflow longValues;

	/** Elements by what they came from, null for none. */
	private @Nullable Map<Object, Collection<?>> once;

	public ProtobufOutput(OutputBuffer buffer) {
		super(buffer);
	}

	/**
	 * Begins a message.
	 * @param exact true to reserve one byte for each length, so that a message fits whose
	 * last byte is that of the limit
	 */
	public void begin(boolean exact) {
		begin();
		this.isExact = exact;
	}

	/**
	 * Sets a receiver for long byte arrays of the outermost message, and for what is in
	 * front of them, so that they are not copied into the array.
	 * @param receiver null, the default, to keep them in the array
	 */
	public void longValues(OutputBuffer.@Nullable Overflow receiver) {
		this.longValues = receiver;
	}

	/**
	 * Returns the elements of an object, also if the message is written again.
	 * @param elements begins the elements of an object
	 */
	public Collection<?> once(Object source, Function<Object, Collection<?>> elements) {
		Map<Object, Collection<?>> known = (this.once != null) ? this.once : new IdentityHashMap<>();
		this.once = known;
		return known.computeIfAbsent(source, elements);
	}

	/** Ends a value, which was written once or twice. */
	public void end() {
		this.longValues = null;
		this.once = null;
	}

	@Override
	public void writeByteRange(int number, byte[] value, int offset, int length) {
		if (this.longValues == null || this.depth > 0 || length <= OutputBuffer.LONG_VALUE) {
			super.writeByteRange(number, value, offset, length);
			return;
		}
		this.buffer.overflow(this.longValues);
		super.writeByteRange(number, value, offset, length);
		this.buffer.overflow(null);
	}

	/** Returns the number of bytes to reserve for the length of a message. */
	public int prefix(LengthGuess guess) {
		return this.isExact ? 1 : guess.size;
	}

	/**
	 * Starts a nested message.
	 * @param prefix number of bytes to reserve for its length
	 * @return index of its first byte
	 */
	public int startMessage(int number, int prefix) {
		if (++this.depth > Format.MAX_DEPTH) {
			throw PathException.tooDeep(Format.MAX_DEPTH);
		}
		return startPacked(number, prefix);
	}

	/**
	 * Ends a nested message.
	 * @param start result of {@link #startMessage}
	 * @param guess gets the number of bytes of the length
	 */
	public void endMessage(int start, int prefix, LengthGuess guess) {
		this.depth--;
		endPacked(start, prefix, guess);
	}

	/** Starts a packed field, see {@link #startMessage}. */
	public int startPacked(int number, int prefix) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		reserve(sizeOfVarint(tag) + prefix);
		this.position = putVarint(this.array, this.position, tag) + prefix;
		return this.position;
	}

	/** Ends a packed field, see {@link #endMessage}. */
	public void endPacked(int start, int prefix, LengthGuess guess) {
		if (this.buffer.overflow() != null) {
			throw new IllegalStateException("a buffer with an overflow (expected: one without)");
		}
		int length = this.position - start;
		int size = sizeOfVarint(length);
		if (size != prefix) {
			reserve(Math.max(0, size - prefix));
			System.arraycopy(this.array, start, this.array, start + size - prefix, length);
			this.position += size - prefix;
		}
		putVarint(this.array, start - prefix, length);
		if (guess.size != size) {
			guess.size = size;
		}
	}

	/** Writes a text. Refuses an unpaired surrogate, which has no form in UTF-8. */
	public void writeString(int number, String text) {
		int start = this.position;
		writeText(number, text);
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		int length = text.length();
		if (this.position - start != sizeOfVarint(tag) + sizeOfVarint(length) + length) {
			requirePairs(text);
		}
	}

	/** Writes bytes that are fields. */
	public void append(byte[] fields) {
		reserve(fields.length);
		System.arraycopy(fields, 0, this.array, this.position, fields.length);
		this.position += fields.length;
	}

	static void requirePairs(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (!Character.isSurrogate(text.charAt(i))) {
				continue;
			}
			if (!Character.isHighSurrogate(text.charAt(i)) || i + 1 == text.length()
					|| !Character.isLowSurrogate(text.charAt(i + 1))) {
				throw new PathException(
						"an unpaired surrogate at %d (expected: text that UTF-8 can express)".formatted(i));
			}
			i++;
		}
	}

	// The put methods are found by their types, see StructType

	public void put(int number, int value) {
		if (value != 0) {
			writeInt32(number, value);
		}
	}

	public void put(int number, long value) {
		if (value != 0) {
			writeInt64(number, value);
		}
	}

	public void put(int number, boolean value) {
		if (value) {
			writeBool(number, true);
		}
	}

	public void put(int number, float value) {
		if (Float.floatToRawIntBits(value) != 0) {
			writeFloat(number, value);
		}
	}

	public void put(int number, double value) {
		if (Double.doubleToRawLongBits(value) != 0) {
			writeDouble(number, value);
		}
	}

	public void packVarint(long value) {
		if (this.array.length - this.position < VARINT) {
			reserve(sizeOfVarint(value));
		}
		this.position = putVarint(this.array, this.position, value);
	}

	public void packFloat(float value) {
		packFixed32(Float.floatToRawIntBits(value));
	}

	public void packDouble(double value) {
		packFixed64(Double.doubleToRawLongBits(value));
	}

	public void packFixed32(int value) {
		reserve(Integer.BYTES);
		LittleEndian.putInt(this.array, this.position, value);
		this.position += Integer.BYTES;
	}

	public void packFixed64(long value) {
		reserve(Long.BYTES);
		LittleEndian.putLong(this.array, this.position, value);
		this.position += Long.BYTES;
	}

	/**
	 * Writes a number with leading zeros as a part of a text.
	 * @param before character in front, 0 for none
	 */
	public void packDigits(char before, int value, int digits) {
		reserve(((before != 0) ? 1 : 0) + digits);
		if (before != 0) {
			this.array[this.position++] = (byte) before;
		}
		int rest = value;
		for (int i = this.position + digits - 1; i >= this.position; i--) {
			this.array[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		this.position += digits;
	}

}
