package io.rpcboot.spring.autoconfigure.properties;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/** Finds the word that is meant among those that there are. */
public interface DidYouMean {

	/** Each word means itself. */
	DidYouMean EXACT = (word, words) -> words.contains(word) ? word : null;

	/**
	 * A word means another, too, if a letter or two are wrong, missing, too many, or in
	 * the other order. Short words have no room for errors.
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
	 * The word that is meant.
	 * @param word what was written
	 * @param words what there is
	 * @return one of these; null if none is meant
	 */
	@Nullable String meant(String word, Collection<String> words);

	/** The distance of Damerau and Levenshtein, each letter changed once at most. */
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
