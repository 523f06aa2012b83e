package io.rpcboot.spring.autoconfigure.properties;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Finds the known word that a written word means.
 *
 * @since 0.1.0
 */
public interface DidYouMean {

	/** Finds equal words only. */
	DidYouMean EXACT = (word, words) -> words.contains(word) ? word : null;

	/**
	 * Finds the nearest word with at most {@code min(2, length / 4)} errors: a letter
	 * that is wrong, missing, superfluous or swapped. Example: "clent" means "client";
	 * words of three letters must be exact.
	 */
	DidYouMean CLOSE = (word, words) -> {
		String nearest = null;
		int least = Integer.MAX_VALUE;
		for (String each : words) {
			int errors = errors(word, each);
			if (errors < least && errors <= Math.min(2, each.length() / 4)) {
				nearest = each;
				least = errors;
			}
		}
		return nearest;
	};

	/**
	 * Returns the word that is meant.
	 * @param word the written word
	 * @param words the known words
	 * @return one of the known words; null for none
	 */
	@Nullable String meant(String word, Collection<String> words);

	/**
	 * Returns the optimal string alignment distance: Damerau-Levenshtein, where each
	 * letter is changed at most once.
	 */
	private static int errors(String one, String other) {
		int[][] distance = new int[one.length() + 1][other.length() + 1];
		for (int i = 0; i <= one.length(); i++) {
			for (int j = 0; j <= other.length(); j++) {
				if (i == 0 || j == 0) {
					distance[i][j] = i + j;
					continue;
				}
				int change = (one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1;
				int least = Math.min(distance[i - 1][j - 1] + change,
						1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
				boolean isSwapped = i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2)
						&& one.charAt(i - 2) == other.charAt(j - 1);
				distance[i][j] = isSwapped ? Math.min(least, distance[i - 2][j - 2] + 1) : least;
			}
		}
		return distance[one.length()][other.length()];
	}

}
