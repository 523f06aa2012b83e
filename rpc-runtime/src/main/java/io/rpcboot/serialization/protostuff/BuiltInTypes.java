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

	/** A decimal, besides its digits. */
	private static final int DECIMAL = 40;

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
				(in) -> new Date(NumberInput.readFixed64(in))));
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
		if (value.getClass() != BigDecimal.class) {
			throw new PathException("%s where java.math.BigDecimal is declared (expected: exactly that class)"
				.formatted(value.getClass().getName()));
		}
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
		return value;
	}

	private static void writeDate(ProtostuffOutput out, int number, Date value) {
		if (value.getClass() != Date.class) {
			throw new PathException("%s where java.util.Date is declared (expected: exactly that class)"
				.formatted(value.getClass().getName()));
		}
		NumberOutput.writeFixed64(out, number, value.getTime());
	}

}
