package io.rpcboot.spring.actuate.descriptor;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** Numbers as people write them. */
public final class Formats {

	private static final double NANOS_OF_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int MOST_CHARS = 500;

	private static final int BRIEF_CHARS = 250;

	private static final Pattern INVISIBLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

	private Formats() {
	}

	/** For example {@code 12 ms} or {@code 2.1 s}. */
	public static String time(long nanos) {
		double millis = nanos / NANOS_OF_A_MILLI;
		if (millis >= 1000) {
			return String.format(Locale.ROOT, "%.1f s", millis / 1000);
		}
		return String.format(Locale.ROOT, (millis >= 10) ? "%.0f ms" : "%.2f ms", millis);
	}

	/** For example {@code 3 min}. */
	public static String time(Duration duration) {
		if (duration.toMinutes() >= 120) {
			return duration.toHours() + " h";
		}
		return (duration.toSeconds() >= 120) ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
	}

	/**
	 * For example {@code  for 3 min}, with the space; empty if it is not known, such as
	 * after the clock was set back.
	 */
	public static String since(@Nullable Instant since, Instant now) {
		return (since != null && !since.isAfter(now)) ? " for " + time(Duration.between(since, now)) : "";
	}

	/**
	 * Whether something happened not long ago. What the clock says is later than now is
	 * so only if it is about now.
	 */
	public static boolean isLately(Instant at, Instant now, Duration time) {
		return Duration.between(at, now).abs().compareTo(time) <= 0;
	}

	/** For example {@code 1 call} or {@code 3 calls}. */
	public static String count(long number, String noun) {
		return grouped(number) + " " + noun + ((number == 1) ? "" : "s");
	}

	/** For example {@code 2,616}. */
	public static String grouped(long number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

	/** The begin of a text that may be long. */
	public static String brief(String text) {
		return cut(text, BRIEF_CHARS);
	}

	/** What a user has chosen, in a line of the log: no other line begins in it. */
	public static String printable(String text) {
		return brief(INVISIBLE.matcher(text).replaceAll("?"));
	}

	/** About calls that waited for too long, with the space before; empty for none. */
	public static String late(long calls) {
		return (calls > 0) ? " In the last minute the time of %s was over before.".formatted(count(calls, "call")) : "";
	}

	/** For example {@code 91 %}. */
	public static String percent(double share) {
		return Math.round(share * 100) + " %";
	}

	/** The text of a peer or an exception in a document that has many. */
	public static String shortened(String text) {
		return cut(text, MOST_CHARS);
	}

	private static String cut(String text, int most) {
		return (text.length() > most) ? text.substring(0, most) + "…" : text;
	}

	/** Nanoseconds in milliseconds, to the thousandth. */
	public static double millis(long nanos) {
		return Math.round(nanos / 1000d) / 1000d;
	}

}
