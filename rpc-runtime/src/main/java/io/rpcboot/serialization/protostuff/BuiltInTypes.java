package io.rpcboot.serialization.protostuff;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Date;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

import io.protostuff.WireFormat;
import io.protostuff.WireFormat.FieldType;

/**
 * The value types of the JDK. {@code BigInteger} and {@code Date} are what
 * protostuff-runtime writes; {@code BigDecimal} is binary, because its text takes time
 * that grows with the square of its length to read.
 */
final class BuiltInTypes {

	private static final int DECIMAL_BITS = 4096;

	/** A decimal, besides its digits. */
	private static final int DECIMAL = 40;

	/** What turns bytes into words of bits. */
	private static final int BITS = 128;

	private static final int VARINT_TAG = WireFormat.makeTag(1, WireFormat.WIRETYPE_VARINT);

	private static final int FIXED_TAG = WireFormat.makeTag(1, WireFormat.WIRETYPE_FIXED64);

	private BuiltInTypes() {
	}

	static List<BuiltInType<?>> all() {
		List<BuiltInType<?>> all = new ArrayList<>(TimeTypes.all());
		all.addAll(AtomicTypes.all());
		all.addAll(NetTypes.all());
		all.addAll(LocaleTypes.all());
		if (SqlTypes.isPresent()) {
			all.addAll(SqlTypes.all());
		}
		all.add(new BuiltInType<>(UUID.class, FieldType.BYTES, BuiltInTypes::writeUuid, BuiltInTypes::readUuid));
		all.add(new BuiltInType<>(BigInteger.class, FieldType.BYTES,
				(out, number, value) -> out.writeByteArray(number, value.toByteArray()),
				(in) -> new BigInteger(in.readByteArray())));
		all.add(new BuiltInType<>(BigDecimal.class, FieldType.MESSAGE, BuiltInTypes::writeDecimal,
				BuiltInTypes::readDecimal));
		all.add(new BuiltInType<>(Date.class, FieldType.FIXED64, BuiltInTypes::writeDate,
				(in) -> new Date(NumberInput.readFixed64(in))));
		all.add(new BuiltInType<>(BitSet.class, FieldType.BYTES, BuiltInTypes::writeBits, BuiltInTypes::readBits));
		all.add(new BuiltInType<>(ByteBuffer.class, FieldType.BYTES, ProtostuffOutput::writeBuffer,
				(in) -> ByteBuffer.wrap(in.readByteArray())));
		all.add(new BuiltInType<>(OptionalInt.class, FieldType.MESSAGE, BuiltInTypes::writeInt, BuiltInTypes::readInt));
		all.add(new BuiltInType<>(OptionalLong.class, FieldType.MESSAGE, BuiltInTypes::writeLong,
				BuiltInTypes::readLong));
		all.add(new BuiltInType<>(OptionalDouble.class, FieldType.MESSAGE, BuiltInTypes::writeDouble,
				BuiltInTypes::readDouble));
		return all;
	}

	private static void writeUuid(ProtostuffOutput out, int number, UUID value) {
		Pairs.writeFixed(out, number, value.getMostSignificantBits(), value.getLeastSignificantBits());
	}

	private static UUID readUuid(ProtostuffInput in) {
		int end = Pairs.readEnd(in);
		UUID value = new UUID(NumberInput.readFixed64(in), NumberInput.readFixed64(in));
		Pairs.requireAt(in, end);
		return value;
	}

	private static void writeDecimal(ProtostuffOutput out, int number, BigDecimal value) {
		Exact.require(value, BigDecimal.class);
		requireFewDigits(value);
		Groups.start(out, number);
		NumberOutput.writeSInt32(out, 1, value.scale());
		out.writeByteArray(2, value.unscaledValue().toByteArray());
		Groups.end(out, number);
	}

	private static BigDecimal readDecimal(ProtostuffInput in) {
		int end = Groups.enter(in);
		Groups.requireTag(in, 1, FieldType.SINT32);
		int scale = NumberInput.readSInt32(in);
		Groups.charge(in, DECIMAL);
		Groups.requireTag(in, 2, FieldType.BYTES);
		BigDecimal value = new BigDecimal(new BigInteger(in.readByteArray()), scale);
		Groups.leave(in, end);
		requireFewDigits(value);
		return value;
	}

	/**
	 * Comparing a decimal of a megabyte with a short one takes milliseconds, and in a
	 * sorted set it is compared with each of the others.
	 */
	static void requireFewDigits(BigDecimal value) {
		if (value.unscaledValue().bitLength() > DECIMAL_BITS) {
			throw new PathException("a BigDecimal of %d bits (expected: at most %d, about 1,200 digits)"
				.formatted(value.unscaledValue().bitLength(), DECIMAL_BITS));
		}
	}

	private static void writeDate(ProtostuffOutput out, int number, Date value) {
		Exact.require(value, Date.class);
		NumberOutput.writeFixed64(out, number, value.getTime());
	}

	private static void writeBits(ProtostuffOutput out, int number, BitSet value) {
		Exact.require(value, BitSet.class);
		out.writeByteArray(number, value.toByteArray());
	}

	private static BitSet readBits(ProtostuffInput in) {
		in.allowance -= BITS;
		return BitSet.valueOf(in.readByteArray());
	}

	private static void writeInt(ProtostuffOutput out, int number, OptionalInt value) {
		Groups.start(out, number);
		if (value.isPresent()) {
			NumberOutput.writeInt32(out, 1, value.getAsInt());
		}
		Groups.end(out, number);
	}

	private static OptionalInt readInt(ProtostuffInput in) {
		int end = Groups.enter(in);
		OptionalInt value = in.tryTag(VARINT_TAG) ? OptionalInt.of(NumberInput.readInt32(in)) : OptionalInt.empty();
		Groups.leave(in, end);
		return value;
	}

	private static void writeLong(ProtostuffOutput out, int number, OptionalLong value) {
		Groups.start(out, number);
		if (value.isPresent()) {
			NumberOutput.writeInt64(out, 1, value.getAsLong());
		}
		Groups.end(out, number);
	}

	private static OptionalLong readLong(ProtostuffInput in) {
		int end = Groups.enter(in);
		OptionalLong value = in.tryTag(VARINT_TAG) ? OptionalLong.of(in.readInt64()) : OptionalLong.empty();
		Groups.leave(in, end);
		return value;
	}

	private static void writeDouble(ProtostuffOutput out, int number, OptionalDouble value) {
		Groups.start(out, number);
		if (value.isPresent()) {
			NumberOutput.writeDouble(out, 1, value.getAsDouble());
		}
		Groups.end(out, number);
	}

	private static OptionalDouble readDouble(ProtostuffInput in) {
		int end = Groups.enter(in);
		OptionalDouble value = in.tryTag(FIXED_TAG) ? OptionalDouble.of(NumberInput.readDouble(in))
				: OptionalDouble.empty();
		Groups.leave(in, end);
		return value;
	}

}
