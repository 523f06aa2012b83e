package io.rpcboot.serialization.protostuff;

import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;

/**
 * The dates of module java.sql, used only where the module is there.
 */
final class SqlForms {

	private static final int MILLIS = 1000;

	private SqlForms() {
	}

	static void addTo(ValueForms forms) {
		forms.addDate(Date.class, Date::new);
		forms.addDate(Time.class, Time::new);
		forms.add(Timestamp.class, String.class, SqlForms::text, SqlForms::timestamp);
	}

	private static String text(Timestamp value) {
		return Instant.ofEpochSecond(Math.floorDiv(value.getTime(), MILLIS), value.getNanos()).toString();
	}

	private static Timestamp timestamp(String text) {
		Instant instant = Instant.parse(text);
		Timestamp value = new Timestamp(instant.toEpochMilli());
		value.setNanos(instant.getNano());
		return value;
	}

}
