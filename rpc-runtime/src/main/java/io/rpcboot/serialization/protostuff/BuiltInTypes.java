package io.rpcboot.serialization.protostuff;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;

import io.protostuff.WireFormat.FieldType;

/**
 * The value types of the JDK. {@code BigInteger} and {@code Date} are what
 * protostuff-runtime writes; {@code BigDecimal} is binary, because its text takes time
 * that grows with the square of its length to read.
 */
final class BuiltInTypes {

	private BuiltInTypes() {
	}

	static List<BuiltInType<?>> all() {
		List<BuiltInType<?>> all = new ArrayList<>(TimeTypes.all());
		all.add(new BuiltInType<>(UUID.class, FieldType.BYTES, BuiltInTypes::writeUuid, BuiltInTypes::readUuid));
		all.add(new BuiltInType<>(BigInteger.class, FieldType.BYTES,
				(out, number, value) -> out.writeByteArray(number, value.toByteArray()),
				(in) -> new BigInteger(in.readByteArray())));
		all.add(new BuiltInType<>(BigDecimal.class, FieldType.MESSAGE, BuiltInTypes::writeDecimal,
				BuiltInTypes::readDecimal));
		all.add(new BuiltInType<>(Date.class, FieldType.FIXED64, BuiltInTypes::writeDate,
				(in) -> new Date(in.readFixed64())));
		return all;
	}

	private static void writeUuid(ProtostuffOutput out, int number, UUID value) {
		out.writeFixedPair(number, value.getMostSignificantBits(), value.getLeastSignificantBits());
	}

	private static UUID readUuid(ProtostuffInput in) {
		int end = in.readEnd();
		UUID value = new UUID(in.readFixed64(), in.readFixed64());
		in.requireAt(end);
		return value;
	}

	private static void writeDecimal(ProtostuffOutput out, int number, BigDecimal value) {
		if (value.getClass() != BigDecimal.class) {
			throw new PathException("%s where java.math.BigDecimal is declared (expected: exactly that class)"
				.formatted(value.getClass().getName()));
		}
		out.startGroup(number);
		out.writeSInt32(1, value.scale());
		out.writeByteArray(2, value.unscaledValue().toByteArray());
		out.endGroup(number);
	}

	private static BigDecimal readDecimal(ProtostuffInput in) {
		int end = in.enter();
		in.requireTag(1, FieldType.SINT32);
		int scale = in.readSInt32();
		in.requireTag(2, FieldType.BYTES);
		BigDecimal value = new BigDecimal(new BigInteger(in.readByteArray()), scale);
		in.leave(end);
		return value;
	}

	private static void writeDate(ProtostuffOutput out, int number, Date value) {
		if (value.getClass() != Date.class) {
			throw new PathException("%s where java.util.Date is declared (expected: exactly that class)"
				.formatted(value.getClass().getName()));
		}
		out.writeFixed64(number, value.getTime());
	}

}
