package io.rpcboot.serialization.protostuff;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;

import io.protostuff.WireFormat.FieldType;

import io.rpcboot.serialization.types.Exact;
import io.rpcboot.serialization.types.Numbers;

/**
 * The value types of the JDK. {@code BigInteger} and {@code Date} are what
 * protostuff-runtime writes; {@code BigDecimal} is binary, because its text takes time
 * that grows with the square of its length to read.
 */
final class BuiltInTypes {

	/** A decimal, besides its digits. */
	private static final int DECIMAL = 40;

	private BuiltInTypes() {
	}

	static List<BuiltInType<?>> all() {
		List<BuiltInType<?>> all = new ArrayList<>(TimeTypes.all());
		all.addAll(NetTypes.all());
		if (SqlTypes.isPresent()) {
			all.addAll(SqlTypes.all());
		}
		all.add(new BuiltInType<>(UUID.class, FieldType.BYTES, BuiltInTypes::writeUuid, BuiltInTypes::readUuid));
		all.add(new BuiltInType<>(BigInteger.class, FieldType.BYTES,
				(out, number, value) -> out.writeByteArray(number, value.toByteArray()),
				(in) -> new BigInteger(in.readByteArray())));
		all.add(new BuiltInType<>(BigDecimal.class, FieldType.MESSAGE, BuiltInTypes::writeDecimal,
				BuiltInTypes::readDecimal));
		all.add(date(Date.class, Date::new));
		all.add(new BuiltInType<>(ByteBuffer.class, FieldType.BYTES, ProtostuffOutput::writeBuffer,
				(in) -> ByteBuffer.wrap(in.readByteArray())));
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
		Numbers.requireFewDigits(value);
		Groups.start(out, number);
		NumberOutput.writeSInt32(out, 1, value.scale());
		out.writeByteArray(2, value.unscaledValue().toByteArray());
		Groups.end(out, number);
	}

	private static BigDecimal readDecimal(ProtostuffInput in) {
		int end = Groups.enter(in);
		Groups.requireTag(in, 1, FieldType.SINT32);
		int scale = NumberInput.readSInt32(in);
		in.charge(DECIMAL);
		Groups.requireTag(in, 2, FieldType.BYTES);
		BigDecimal value = new BigDecimal(new BigInteger(in.readByteArray()), scale);
		Groups.leave(in, end);
		return Numbers.requireFewDigits(value);
	}

	/** A date, of java.sql as well: milliseconds. */
	static <D extends Date> BuiltInType<D> date(Class<D> type, LongFunction<D> maker) {
		return new BuiltInType<>(type, FieldType.FIXED64, (out, number, value) -> {
			Exact.require(value, type);
			NumberOutput.writeFixed64(out, number, value.getTime());
		}, (in) -> maker.apply(NumberInput.readFixed64(in)));
	}

}
