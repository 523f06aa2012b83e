package io.rpcboot.internal.serialization.protobuf.wire;

import java.util.Arrays;
import java.util.function.Function;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Reads protobuf's wire format. Within a nested message the range ends with it, so a
 * value cannot reach beyond its message.
 */
public final class ProtobufInput extends ProtostuffInput {

	private static final byte[] ZEROS = new byte[Long.BYTES];

	/** Largest wire type that protobuf has. */
	private static final int LAST_WIRE_TYPE = WireFormat.WIRETYPE_FIXED32;

	/** Place for the only value of a message. */
	public final @Nullable Object[] value = new @Nullable Object[1];

	/** Instances that are free, a chain. */
	private @Nullable ChosenMember free;

	public ProtobufInput(byte[] array, int offset, int length) {
		super(array, offset, length);
	}

	/** Returns true unless the end of the message or the packed field is reached. */
	public boolean hasMore() {
		return this.position < this.limit;
	}

	/**
	 * Enters the message whose length is next.
	 * @return the limit outside, for {@link #leaveMessage}
	 */
	public int enterMessage() {
		enterGroup();
		return enterPacked();
	}

	/** Leaves a message that was read to its end. */
	public void leaveMessage(int outside) {
		leaveGroup();
		leavePacked(outside);
	}

	/** Enters the packed field whose length is next, see {@link #enterMessage}. */
	public int enterPacked() {
		int end = readPairEnd();
		int outside = this.limit;
		this.limit = end;
		return outside;
	}

	/** Leaves a packed field that was read to its end. */
	public void leavePacked(int outside) {
		this.limit = outside;
	}

	/** Returns a member that is free, or a new one. */
	public ChosenMember takeMember() {
		ChosenMember member = this.free;
		if (member == null) {
			note(ChosenMember.SIZE);
			return new ChosenMember();
		}
		this.free = member.next;
		return member;
	}

	/** Gives a member back that nothing refers to. */
	public void giveMember(ChosenMember member) {
		member.field = null;
		member.state = null;
		member.unknown = 0;
		member.next = this.free;
		this.free = member;
	}

	/** Reads the bytes up to the end of the message. */
	public byte[] readRest() {
		byte[] rest = Arrays.copyOfRange(this.array, this.position, this.limit);
		this.position = this.limit;
		return rest;
	}

	/** Skips the fields up to the end of the message. */
	public void skipFields() {
		while (hasMore()) {
			skip(readTag());
		}
	}

	/** Skips the value of an unknown field. */
	public void skip(int tag) {
		if (WireFormat.getTagWireType(tag) > LAST_WIRE_TYPE) {
			throw new PathException("tag %d (expected: a wire type of 0 to %d)".formatted(tag, LAST_WIRE_TYPE));
		}
		skipValue(tag);
	}

	/** Returns the number of varints up to the end of the packed field. */
	public int countVarints() {
		int count = 0;
		for (int i = this.position; i < this.limit; i++) {
			count += (this.array[i] >= 0) ? 1 : 0;
		}
		return count;
	}

	/**
	 * Returns the number of successive values with a tag. The first tag was read.
	 */
	public int countValues(int tag) {
		int mark = this.position;
		int count = 0;
		do {
			skipValue(tag);
			count++;
		}
		while (tryTag(tag));
		this.position = mark;
		return count;
	}

	/**
	 * Returns the value of zero bytes, which a writer may leave out of an entry: zero, or
	 * an empty text, byte array or message.
	 */
	public @Nullable Object ofZeros(Function<ProtobufInput, @Nullable Object> reader) {
		byte[] source = this.array;
		int at = this.position;
		int end = this.limit;
		this.array = ZEROS;
		this.position = 0;
		this.limit = ZEROS.length;
		Object value = reader.apply(this);
		this.array = source;
		this.position = at;
		this.limit = end;
		return value;
	}

	@Override
	protected boolean isCut() {
		return true;
	}

	/** Reads an integer of 32 bits. The higher bits of a larger number are cut. */
	public int readInteger() {
		return (int) readInt64();
	}

	/**
	 * Reads an integer narrower than {@code int}. A negative one has 10 bytes; 5 bytes,
	 * as of an unsigned number, are accepted.
	 */
	public int readNarrow(int lowest, int highest) {
		long number = readInt64();
		long value = (number >>> Integer.SIZE == 0) ? (int) number : number;
		if (value < lowest || value > highest) {
			throw new PathException("number %d (expected: %d to %d)".formatted(value, lowest, highest));
		}
		return (int) value;
	}

	/** Reads a boolean, true for any number other than 0. */
	public boolean readBoolean() {
		return readInt64() != 0;
	}

	/** Reads a text of well-formed UTF-8. */
	public String readString() {
		int start = this.position;
		String text = readText();
		int length = text.length();
		if (this.position - start != ProtostuffOutput.sizeOfVarint(length) + length) {
			ProtobufOutput.requirePairs(text);
		}
		return text;
	}

}
