package io.rpcboot.serialization.protostuff;

import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.List;

import io.protostuff.WireFormat.FieldType;

import io.rpcboot.serialization.types.Exact;

/**
 * The dates of module java.sql, which an application may be without: nothing else refers
 * to them, and this class is used only where the module is there.
 */
final class SqlTypes {

	private SqlTypes() {
	}

	static boolean isPresent() {
		return ModuleLayer.boot().findModule("java.sql").isPresent();
	}

	static List<BuiltInType<?>> all() {
		return List.of(
				new BuiltInType<>(Timestamp.class, FieldType.BYTES, SqlTypes::writeTimestamp, SqlTypes::readTimestamp),
				BuiltInTypes.date(Date.class, Date::new), BuiltInTypes.date(Time.class, Time::new));
	}

	private static void writeTimestamp(ProtostuffOutput out, int number, Timestamp value) {
		Exact.require(value, Timestamp.class);
		Pairs.write(out, number, value.getTime(), value.getNanos());
	}

	private static Timestamp readTimestamp(ProtostuffInput in) {
		int end = Pairs.readEnd(in);
		Timestamp value = new Timestamp(in.readSInt64());
		value.setNanos(Math.toIntExact(in.readInt64()));
		Pairs.requireAt(in, end);
		return value;
	}

}
