package io.rpcboot.internal.text;

import java.util.List;

/** Enumerations in sentences. */
public final class Enumeration {

	private Enumeration() {
	}

	/**
	 * Returns words as {@code a, b and c}.
	 * @param words words in their order; an empty text for none
	 */
	public static String and(List<String> words) {
		int last = words.size() - 1;
		return (last < 1) ? String.join("", words)
				: String.join(", ", words.subList(0, last)) + " and " + words.get(last);
	}

}
