package io.rpcboot.serialization.jackson;

import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;

import io.rpcboot.serialization.types.SimpleForm;

/**
 * The dates of module java.sql, used only where the module is there.
 */
final class SqlForms {

	private SqlForms() {
	}

	static boolean isPresent() {
		return ModuleLayer.boot().findModule("java.sql").isPresent();
	}

	static List<SimpleForm> all() {
		return List.of(JsonForms.date(Date.class, Date::new), JsonForms.date(Time.class, Time::new), SimpleForm
			.of(Timestamp.class, String.class, (value) -> value.toInstant().toString(), SqlForms::timestamp));
	}

	private static Timestamp timestamp(String text) {
		Instant instant = Instant.parse(text);
		Timestamp value = new Timestamp(instant.toEpochMilli());
		value.setNanos(instant.getNano());
		return value;
	}

}
