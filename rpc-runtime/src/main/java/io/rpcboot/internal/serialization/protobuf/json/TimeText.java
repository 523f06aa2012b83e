package io.rpcboot.internal.serialization.protobuf.json;

import java.time.DateTimeException;
import java.time.LocalDate;

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

	private static final long FIRST = -62_135_596_800L;

	private static final long LAST = 253_402_300_799L;

	private static final long LONGEST = 315_576_000_000L;

	/** Digits of the longest duration. */
	private static final int DIGITS = 12;

	private static final int DAY = 24 * 60 * 60;

	private static final int NANO_DIGITS = 9;

	private static final int BILLION = 1_000_000_000;

	private static final int THOUSAND = 1000;

	/** Reads a timestamp of RFC 3339. Returns null for any other text. */
	static @Nullable TimeText ofTimestamp(String text) {
		if (!hasShape(text, 0, "0000-00-00T00:00:00")) {
			return null;
		}
		int end = 19;
		int nanos = 0;
		if (text.startsWith(".", end)) {
			nanos = nanos(text, end + 1);
			end = endOfDigits(text, end + 1);
		}
		int offset = 0;
		if (end + 1 != text.length() || text.charAt(end) != 'Z') {
			if (end + 6 != text.length() || !(hasShape(text, end, "+00:00") || hasShape(text, end, "-00:00"))) {
				return null;
			}
			offset = 60 * (60 * number(text, end + 1, end + 3) + number(text, end + 4, end + 6));
			offset = (text.charAt(end) == '-') ? -offset : offset;
		}
		int hours = number(text, 11, 13);
		int minutes = number(text, 14, 16);
		int seconds = number(text, 17, 19);
		if (nanos < 0 || hours > 23 || minutes > 59 || seconds > 59) {
			return null;
		}
		try {
			long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
			TimeText time = new TimeText(day * DAY + 60 * (60 * hours + minutes) + seconds - offset, nanos);
			return time.isTimestamp() ? time : null;
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	/** Reads a duration. Returns null for any other text. */
	static @Nullable TimeText ofDuration(String text) {
		int start = text.startsWith("-") ? 1 : 0;
		int end = endOfDigits(text, start);
		if (end == start || end - start > DIGITS) {
			return null;
		}
		long seconds = Long.parseLong(text, start, end, 10);
		int nanos = 0;
		if (text.startsWith(".", end)) {
			nanos = nanos(text, end + 1);
			end = endOfDigits(text, end + 1);
		}
		if (nanos < 0 || end + 1 != text.length() || text.charAt(end) != 's') {
			return null;
		}
		TimeText time = new TimeText((start > 0) ? -seconds : seconds, (start > 0) ? -nanos : nanos);
		return time.isDuration() ? time : null;
	}

	/** Returns true if a text has digits where the shape has zeros, and equal others. */
	private static boolean hasShape(String text, int start, String shape) {
		if (text.length() - start < shape.length()) {
			return false;
		}
		for (int i = 0; i < shape.length(); i++) {
			char c = text.charAt(start + i);
			if ((shape.charAt(i) == '0') ? !isDigit(c) : c != shape.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isDigit(char c) {
		return c >= '0' && c <= '9';
	}

	private static int endOfDigits(String text, int start) {
		int end = start;
		while (end < text.length() && isDigit(text.charAt(end))) {
			end++;
		}
		return end;
	}

	private static int number(String text, int start, int end) {
		return Integer.parseInt(text, start, end, 10);
	}

	/** Reads the digits of a fraction, cut after nine. Returns -1 if there are none. */
	private static int nanos(String text, int start) {
		int end = Math.min(endOfDigits(text, start), start + NANO_DIGITS);
		if (end == start) {
			return -1;
		}
		int nanos = number(text, start, end);
		for (int i = end; i < start + NANO_DIGITS; i++) {
			nanos *= 10;
		}
		return nanos;
	}

	boolean isTimestamp() {
		return this.seconds >= FIRST && this.seconds <= LAST && this.nanos >= 0 && this.nanos < BILLION;
	}

	boolean isDuration() {
		return Math.abs(this.seconds) <= LONGEST && Math.abs(this.nanos) < BILLION
				&& (this.seconds == 0 || this.nanos == 0 || this.seconds < 0 == this.nanos < 0);
	}

	/** Returns the text of a timestamp. */
	String timestamp() {
		LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(this.seconds, DAY));
		int second = (int) Math.floorMod(this.seconds, (long) DAY);
		StringBuilder text = new StringBuilder(30);
		digits(text, day.getYear(), THOUSAND);
		digits(text.append('-'), day.getMonthValue(), 10);
		digits(text.append('-'), day.getDayOfMonth(), 10);
		digits(text.append('T'), second / 60 / 60, 10);
		digits(text.append(':'), second / 60 % 60, 10);
		digits(text.append(':'), second % 60, 10);
		return fraction(text).append('Z').toString();
	}

	/** Returns the text of a duration. */
	String duration() {
		StringBuilder text = new StringBuilder();
		if (this.seconds < 0 || this.nanos < 0) {
			text.append('-');
		}
		return fraction(text.append(Math.abs(this.seconds))).append('s').toString();
	}

	/** Appends a number with leading zeros. */
	private static void digits(StringBuilder text, int value, int highest) {
		for (int unit = highest; unit > 0; unit /= 10) {
			text.append((char) ('0' + value / unit % 10));
		}
	}

	/** Appends no, three, six or nine digits. */
	private StringBuilder fraction(StringBuilder text) {
		int fraction = Math.abs(this.nanos);
		if (fraction != 0) {
			int highest = BILLION / 10;
			while (fraction % THOUSAND == 0) {
				fraction /= THOUSAND;
				highest /= THOUSAND;
			}
			digits(text.append('.'), fraction, highest);
		}
		return text;
	}

}
