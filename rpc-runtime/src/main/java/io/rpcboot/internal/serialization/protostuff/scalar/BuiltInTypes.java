package io.rpcboot.internal.serialization.protostuff.scalar;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;

import io.protostuff.WireFormat;
import io.protostuff.WireFormat.FieldType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.Addresses;
import io.rpcboot.internal.serialization.types.value.ExactTypes;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogates;

/**
 * The value types of the JDK. {@code BigInteger} and {@code Date} have the bytes of
 * protostuff-runtime. {@code BigDecimal} is binary, because the time to read its text
 * grows with the square of the length.
 */
final class BuiltInTypes {

	/** Heap size of a decimal without its digits, in bytes. */
	private static final int DECIMAL = 40;

	private static final int ADDRESS = 1;

	private static final int NAME = 2;

	private static final int NAME_TAG = WireFormat.makeTag(NAME, WireFormat.WIRETYPE_LENGTH_DELIMITED);

	private BuiltInTypes() {
	}

	static List<BuiltInType<?>> all() {
		List<BuiltInType<?>> all = new ArrayList<>(TimeTypes.all());
		if (ScalarSurrogates.isSqlPresent()) {
			all.addAll(Sql.types());
		}
		all.add(new BuiltInType<>(UUID.class, FieldType.BYTES, BuiltInTypes::writeUuid, BuiltInTypes::readUuid));
		all.add(new BuiltInType<>(BigInteger.class, FieldType.BYTES,
				(out, number, value) -> out.writeByteArray(number, value.toByteArray()),
				(in) -> new BigInteger(in.readByteArray())));
		all.add(new BuiltInType<>(BigDecimal.class, FieldType.MESSAGE, BuiltInTypes::writeDecimal,
				BuiltInTypes::readDecimal));
		all.add(date(Date.class, Date::new));
		all.add(new BuiltInType<>(ByteBuffer.class, FieldType.BYTES,
				(out, number, value) -> writeBytes(out, number, Numbers.requireBigEndian(value)),
				(in) -> ByteBuffer.wrap(in.readByteArray())));
		all.add(address(InetAddress.class));
		all.add(address(Inet4Address.class));
		all.add(address(Inet6Address.class));
		return all;
	}

	private static void writeUuid(ProtostuffOutput out, int number, UUID value) {
		out.writeFixedPair(number, value.getMostSignificantBits(), value.getLeastSignificantBits());
	}

	private static UUID readUuid(ProtostuffInput in) {
		int end = in.readPairEnd();
		UUID value = new UUID(in.readFixed64(), in.readFixed64());
		in.requirePosition(end);
		return value;
	}

	private static void writeDecimal(ProtostuffOutput out, int number, BigDecimal value) {
		ExactTypes.require(value, BigDecimal.class);
		Numbers.requireFewDigits(value);
		out.writeSInt32(1, value.scale());
		out.writeByteArray(2, value.unscaledValue().toByteArray());
	}

	private static BigDecimal readDecimal(ProtostuffInput in) {
		in.requireTag(1, FieldType.SINT32);
		int scale = in.readSInt32();
		in.charge(DECIMAL);
		in.requireTag(2, FieldType.BYTES);
		BigDecimal value = new BigDecimal(new BigInteger(in.readByteArray()), scale);
		return Numbers.requireFewDigits(value);
	}

	/**
	 * Creates the type of a date, also one of java.sql: milliseconds since 1970. A
	 * subclass arrives as the class itself.
	 */
	private static <D extends Date> BuiltInType<D> date(Class<D> type, LongFunction<D> maker) {
		return new BuiltInType<>(type, FieldType.FIXED64,
				(out, number, value) -> out.writeFixed64(number, type.cast(value).getTime()),
				(in) -> maker.apply(in.readFixed64()));
	}

	/**
	 * Creates the type of an address: a message of its bytes (1) and its name (2), if it
	 * has one.
	 */
	private static <A extends InetAddress> BuiltInType<A> address(Class<A> type) {
		return new BuiltInType<>(type, FieldType.MESSAGE, BuiltInTypes::writeAddress, (in) -> readAddress(type, in));
	}

	private static void writeAddress(ProtostuffOutput out, int number, InetAddress value) {
		out.writeByteArray(ADDRESS, Addresses.bytes(value));
		String name = Addresses.name(value);
		if (!name.isEmpty()) {
			out.writeText(NAME, name);
		}
	}

	private static <A extends InetAddress> A readAddress(Class<A> type, ProtostuffInput in) {
		in.requireTag(ADDRESS, FieldType.BYTES);
		byte[] bytes = in.readByteArray();
		return Addresses.of(type, in.takeText(NAME_TAG), bytes);
	}

	/** Writes the remaining bytes of a buffer. Its position is unchanged. */
	private static void writeBytes(ProtostuffOutput out, int number, ByteBuffer value) {
		int length = value.remaining();
		if (value.hasArray()) {
			out.writeByteRange(number, value.array(), value.arrayOffset() + value.position(), length);
			return;
		}
		out.startPieces(number, length);
		int end = value.position() + length;
		int piece;
		for (int from = end - length; from < end; from += piece) {
			piece = Math.min(end - from, ProtostuffOutput.LARGEST_WHOLE);
			out.reserve(piece);
			value.get(from, out.array, out.position, piece);
			out.position += piece;
		}
	}

	/** The dates of module java.sql. Loaded only if the module is present. */
	private static final class Sql {

		static List<BuiltInType<?>> types() {
			return List.of(new BuiltInType<>(Timestamp.class, FieldType.BYTES, Sql::writeTimestamp, Sql::readTimestamp),
					date(java.sql.Date.class, java.sql.Date::new), date(Time.class, Time::new));
		}

		private static void writeTimestamp(ProtostuffOutput out, int number, Timestamp value) {
			out.writePair(number, value.getTime(), value.getNanos());
		}

		private static Timestamp readTimestamp(ProtostuffInput in) {
			int end = in.readPairEnd();
			Timestamp value = new Timestamp(in.readSInt64());
			value.setNanos(Math.toIntExact(in.readInt64()));
			in.requirePosition(end);
			return value;
		}

	}

}
