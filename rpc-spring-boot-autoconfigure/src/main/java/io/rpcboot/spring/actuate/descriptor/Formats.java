package io.rpcboot.spring.actuate.descriptor;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Formats of numbers, durations and texts in findings and documents.
 *
 * @since 0.1.0
 */
public final class Formats {

	private static final double NANOS_OF_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final int MOST_CHARS = 500;

	private static final int BRIEF_CHARS = 250;

	private static final Pattern INVISIBLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

	private Formats() {
	}

	/** Returns a duration such as {@code 12 ms} or {@code 2.1 s}. */
	public static String time(long nanos) {
		double millis = nanos / NANOS_OF_A_MILLI;
		if (millis >= 1000) {
			return String.format(Locale.ROOT, "%.1f s", millis / 1000);
		}
		return String.format(Locale.ROOT, (millis >= 10) ? "%.0f ms" : "%.2f ms", millis);
	}

	/** Returns a duration such as {@code 3 min}. */
	public static String time(Duration duration) {
		if (duration.toMinutes() >= 120) {
			return duration.toHours() + " h";
		}
		return (duration.toSeconds() >= 120) ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
	}

	/**
	 * Returns, for example, {@code  for 3 min} with a leading space. Empty if the start
	 * is unknown or, after a change of the clock, in the future.
	 */
	public static String since(@Nullable Instant since, Instant now) {
		return (since != null && !since.isAfter(now)) ? " for " + time(Duration.between(since, now)) : "";
	}

	/**
	 * Returns true if the distance of two instants is at most a duration. An instant in
	 * the future counts, too, because the clock may have been set back.
	 */
	public static boolean isWithin(Instant at, Instant now, Duration time) {
		return Duration.between(at, now).abs().compareTo(time) <= 0;
	}

	/** Returns a number with its noun, such as {@code 1 call} or {@code 3 calls}. */
	public static String count(long number, String noun) {
		return grouped(number) + " " + noun + ((number == 1) ? "" : "s");
	}

	/** Returns a number such as {@code 2,616}. */
	public static String grouped(long number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

	/** Returns at most the first 250 characters. */
	public static String brief(String text) {
		return cut(text, BRIEF_CHARS);
	}

	/**
	 * Returns a text from a user for the log: at most 250 characters, without line breaks
	 * and other invisible characters.
	 */
	public static String printable(String text) {
		return brief(INVISIBLE.matcher(text).replaceAll("?"));
	}

	/** Returns a sentence about expired calls, with a leading space; empty for none. */
	public static String late(long calls) {
		return (calls > 0) ? " %s expired in the last minute.".formatted(count(calls, "call")) : "";
	}

	/** Returns a percentage such as {@code 91 %}. */
	public static String percent(double share) {
		return Math.round(share * 100) + " %";
	}

	/**
	 * Returns at most the first 500 characters, because a document may have many texts of
	 * peers and exceptions.
	 */
	public static String shortened(String text) {
		return cut(text, MOST_CHARS);
	}

	private static String cut(String text, int most) {
		return (text.length() > most) ? text.substring(0, most) + "…" : text;
	}

	/** Returns milliseconds, rounded to three decimals. */
	public static double millis(long nanos) {
		return Math.round(nanos / 1000d) / 1000d;
	}

	/**
	 * Returns the simple name of a class or interface, as properties name it.
	 * @param name its full name
	 * @return the name without the package and the enclosing classes
	 */
	public static String simpleName(String name) {
		return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
	}

}
