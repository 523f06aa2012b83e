package io.rpcboot.internal.serialization.protobuf.json;

import java.math.BigInteger;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;

/**
 * Type of a value, in the order of {@code FieldDescriptorProto.Type}. Numbers are handed
 * on as 64 bits: integers as they are, unsigned ones of 32 bits without a sign, the
 * others by their bits.
 */
public enum FieldKind {

	DOUBLE(WireFormat.WIRETYPE_FIXED64, "a number"), FLOAT(WireFormat.WIRETYPE_FIXED32, "a number of 32 bits"),
	INT64(WireFormat.WIRETYPE_VARINT, "an integer of 64 bits"),
	UINT64(WireFormat.WIRETYPE_VARINT, "an integer of 64 bits, 0 or more"),
	INT32(WireFormat.WIRETYPE_VARINT, "an integer of 32 bits"),
	FIXED64(WireFormat.WIRETYPE_FIXED64, "an integer of 64 bits, 0 or more"),
	FIXED32(WireFormat.WIRETYPE_FIXED32, "an integer of 32 bits, 0 or more"),
	BOOL(WireFormat.WIRETYPE_VARINT, "true or false"), STRING(WireFormat.WIRETYPE_LENGTH_DELIMITED, "a text"),
	GROUP(WireFormat.WIRETYPE_START_GROUP, "no group"), MESSAGE(WireFormat.WIRETYPE_LENGTH_DELIMITED, "an object"),
	BYTES(WireFormat.WIRETYPE_LENGTH_DELIMITED, "a text in Base64"),
	UINT32(WireFormat.WIRETYPE_VARINT, "an integer of 32 bits, 0 or more"),
	ENUM(WireFormat.WIRETYPE_VARINT, "a constant, or its number"),
	SFIXED32(WireFormat.WIRETYPE_FIXED32, "an integer of 32 bits"),
	SFIXED64(WireFormat.WIRETYPE_FIXED64, "an integer of 64 bits"),
	SINT32(WireFormat.WIRETYPE_VARINT, "an integer of 32 bits"),
	SINT64(WireFormat.WIRETYPE_VARINT, "an integer of 64 bits");

	private static final long LOW = 0xFFFFFFFFL;

	private static final FieldKind[] ALL = values();

	private final int wireType;

	private final String expected;

	FieldKind(int wireType, String expected) {
		this.wireType = wireType;
		this.expected = expected;
	}

	/** Returns the kind with a number of {@code FieldDescriptorProto.Type}. */
	static FieldKind of(int number) {
		if (number < 1 || number > ALL.length) {
			throw new IllegalArgumentException("type %d (expected: 1 to %d)".formatted(number, ALL.length));
		}
		return ALL[number - 1];
	}

	int wireType() {
		return this.wireType;
	}

	/** Returns the expected value, for messages. */
	String expected() {
		return this.expected;
	}

	/** Returns true for a number, a boolean and a constant, which may be packed. */
	boolean isNumber() {
		return this.wireType != WireFormat.WIRETYPE_LENGTH_DELIMITED;
	}

	/** Returns true for an integer that JSON has as a text. */
	boolean isLong() {
		return switch (this) {
			case INT64, UINT64, FIXED64, SFIXED64, SINT64 -> true;
			default -> false;
		};
	}

	private boolean isUnsigned() {
		return switch (this) {
			case UINT64, UINT32, FIXED64, FIXED32 -> true;
			default -> false;
		};
	}

	/** Returns true if an integer is in the range. */
	boolean accepts(long value) {
		if (isUnsigned()) {
			return value >= 0 && (isLong() || value <= LOW);
		}
		return isLong() || value == (int) value;
	}

	/** Returns true if an integer of more than 64 bits, or of fewer, is in the range. */
	boolean accepts(BigInteger value) {
		int bits = isLong() ? Long.SIZE : Integer.SIZE;
		return isUnsigned() ? value.signum() >= 0 && value.bitLength() <= bits : value.bitLength() < bits;
	}

	/** Returns the JSON text of an integer. */
	String text(long bits) {
		return (isLong() && isUnsigned()) ? Long.toUnsignedString(bits) : Long.toString(bits);
	}

	/** Reads a number behind its tag. */
	long read(ProtobufInput in) {
		return switch (this) {
			case INT64, UINT64 -> in.readLargeInt64();
			case INT32, ENUM -> in.readInteger();
			case UINT32 -> in.readInteger() & LOW;
			case BOOL -> in.readBoolean() ? 1 : 0;
			case SINT32 -> {
				int value = in.readInteger();
				yield (value >>> 1) ^ -(value & 1);
			}
			case SINT64 -> in.readSInt64();
			case FLOAT, FIXED32 -> in.readFixed32() & LOW;
			case SFIXED32 -> in.readFixed32();
			case DOUBLE, FIXED64, SFIXED64 -> in.readFixed64();
			case STRING, GROUP, MESSAGE, BYTES -> throw new IllegalStateException(name() + " (expected: a number)");
		};
	}

	/** Writes a number behind its tag. */
	void write(ProtobufOutput out, long bits) {
		switch (this) {
			case FLOAT, FIXED32, SFIXED32 -> out.packFixed32((int) bits);
			case DOUBLE, FIXED64, SFIXED64 -> out.packFixed64(bits);
			case SINT32 -> out.packVarint((((int) bits << 1) ^ ((int) bits >> 31)) & LOW);
			case SINT64 -> out.packVarint((bits << 1) ^ (bits >> 63));
			default -> out.packVarint(bits);
		}
	}

}
