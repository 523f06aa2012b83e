package io.rpcboot.internal.serialization.protobuf.json;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Timestamp or duration, with its text in JSON.
 *
 * @param seconds seconds, of a timestamp since 1970
 * @param nanos nanoseconds, of a duration with the sign of the seconds
 */
record TimeText(long seconds, int nanos) {

	/** Expected text of a timestamp, for messages. */
	static final String TIMESTAMP = "a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z";

	/** Expected text of a duration, for messages. */
	static final String DURATION = "seconds of at most 315,576,000,000, like 1.5s";

	/** Timestamp of RFC 3339, whose day is checked later. */
	private static final Pattern RFC_3339 = Pattern
		.compile("\\d{4}-\\d\\d-\\d\\dT([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,30})?(Z|[+-]\\d\\d:\\d\\d)");

	private static final Pattern SECONDS = Pattern.compile("-?\\d{1,12}(\\.\\d{1,30})?s");

	/** Index in a timestamp of the first digit of its fraction. */
	private static final int FRACTION = 20;

	private static final int NANO_DIGITS = 9;

	private static final int DAY = 24 * 60 * 60;

	private static final long FIRST = -62_135_596_800L;

	private static final long LAST = 253_402_300_799L;

	private static final long LONGEST = 315_576_000_000L;

	private static final int BILLION = 1_000_000_000;

	/** Reads a timestamp. Returns null for any other text. */
	static @Nullable TimeText ofTimestamp(String text) {
		if (!RFC_3339.matcher(text).matches()) {
			return null;
		}
		int end = text.endsWith("Z") ? text.length() - 1 : text.length() - 6;
		long offset = text.endsWith("Z") ? 0 : minutes(text, end + 1);
		int nanos = 0;
		for (int i = FRACTION; i < FRACTION + NANO_DIGITS; i++) {
			nanos = 10 * nanos + ((i < end) ? text.charAt(i) - '0' : 0);
		}
		try {
			long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
			long minutes = minutes(text, 11) + ((text.charAt(end) == '-') ? offset : -offset);
			TimeText time = new TimeText(day * DAY + 60 * minutes + number(text, 17, 19), nanos);
			return time.isTimestamp() ? time : null;
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	/** Reads hours and minutes. */
	private static int minutes(String text, int start) {
		return 60 * number(text, start, start + 2) + number(text, start + 3, start + 5);
	}

	private static int number(String text, int start, int end) {
		return Integer.parseInt(text, start, end, 10);
	}

	/** Reads a duration. Returns null for any other text. */
	static @Nullable TimeText ofDuration(String text) {
		if (!SECONDS.matcher(text).matches()) {
			return null;
		}
		BigDecimal exact = new BigDecimal(text.substring(0, text.length() - 1));
		long seconds = exact.longValue();
		TimeText time = new TimeText(seconds,
				exact.subtract(BigDecimal.valueOf(seconds)).movePointRight(NANO_DIGITS).intValue());
		return time.isDuration() ? time : null;
	}

	boolean isTimestamp() {
		return this.seconds >= FIRST && this.seconds <= LAST && this.nanos >= 0 && this.nanos < BILLION;
	}

	boolean isDuration() {
		return this.seconds >= -LONGEST && this.seconds <= LONGEST && this.nanos > -BILLION && this.nanos < BILLION
				&& (this.seconds == 0 || this.nanos == 0 || this.seconds < 0 == this.nanos < 0);
	}

	/** Returns the text of a timestamp. */
	String timestamp() {
		return Instant.ofEpochSecond(this.seconds, this.nanos).toString();
	}

	/**
	 * Returns the text of a duration, with no, three, six or nine digits behind the
	 * point.
	 */
	String duration() {
		String sign = (this.seconds < 0 || this.nanos < 0) ? "-" : "";
		String text = sign + Math.abs(this.seconds);
		if (this.nanos != 0) {
			text += "." + Integer.toString(BILLION + Math.abs(this.nanos)).substring(1);
			while (text.endsWith("000")) {
				text = text.substring(0, text.length() - 3);
			}
		}
		return text + "s";
	}

}
