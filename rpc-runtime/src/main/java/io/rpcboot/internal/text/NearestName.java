package io.rpcboot.internal.text;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Finds the known name that a client may have meant. Upper and lower case are equal. The
 * time is bounded, because clients choose the name: {@code 2 * MAX_ERRORS + 1} steps for
 * each character of a known name of about the same length.
 */
public final class NearestName {

	/** Maximum of letters that are wrong, missing or superfluous. */
	private static final int MAX_ERRORS = 3;

	/** Divisor of the length of a name for its maximum of errors. */
	private static final int LETTERS_PER_ERROR = 4;

	private NearestName() {
	}

	/**
	 * Returns the nearest of the names.
	 * @param name name of a client
	 * @param names known names
	 * @return null if none is near
	 */
	public static @Nullable String of(String name, Iterable<String> names) {
		String nearest = null;
		int least = MAX_ERRORS + 1;
		for (String each : names) {
			int most = Math.min(least - 1, each.length() / LETTERS_PER_ERROR);
			int errors = distance(name, each, most);
			if (errors <= most) {
				nearest = each;
				least = errors;
			}
		}
		return nearest;
	}

	/**
	 * Returns the Levenshtein distance, more than {@code most} if it is more than that.
	 * Computes only the diagonals of the table that are at most {@code most} off.
	 */
	private static int distance(String one, String other, int most) {
		if (Math.abs(one.length() - other.length()) > most) {
			return most + 1;
		}
		int[] row = new int[other.length() + 1];
		Arrays.setAll(row, (j) -> j);
		for (int i = 1; i <= one.length(); i++) {
			int first = Math.max(1, i - most);
			int last = Math.min(other.length(), i + most);
			int diagonal = row[first - 1];
			row[first - 1] = (first == 1) ? i : most + 1;
			int least = row[first - 1];
			for (int j = first; j <= last; j++) {
				int above = (j == i + most) ? most + 1 : row[j];
				int change = equal(one.charAt(i - 1), other.charAt(j - 1)) ? 0 : 1;
				int errors = Math.min(diagonal + change, 1 + Math.min(above, row[j - 1]));
				diagonal = row[j];
				row[j] = errors;
				least = Math.min(least, errors);
			}
			if (least > most) {
				return most + 1;
			}
		}
		return row[other.length()];
	}

	private static boolean equal(char one, char other) {
		return Character.toLowerCase(one) == Character.toLowerCase(other);
	}

}
