package io.rpcboot.serialization.contract;

import java.nio.charset.StandardCharsets;

/**
 * Checks names for the text of a contract. The JVM allows names that Java does not, and
 * other languages use them.
 */
final class Names {

	static final int MAX_LENGTH = 500;

	private static final String SYNTAX = ",<>()[]";

	private Names() {
	}

	/** Returns true for a name without blanks, control characters and lone surrogates. */
	static boolean isWord(String name) {
		if (name.isEmpty() || name.length() > MAX_LENGTH) {
			return false;
		}
		boolean hasSurrogates = false;
		for (int i = 0; i < name.length(); i++) {
			if (isBlank(name.charAt(i))) {
				return false;
			}
			hasSurrogates |= Character.isSurrogate(name.charAt(i));
		}
		return !hasSurrogates || StandardCharsets.UTF_8.newEncoder().canEncode(name);
	}

	/** Returns true for a word without the characters of a signature. */
	static boolean isName(String name) {
		for (int i = 0; i < name.length(); i++) {
			if (SYNTAX.indexOf(name.charAt(i)) >= 0) {
				return false;
			}
		}
		return isWord(name);
	}

	static boolean isPartOfName(int character) {
		return !isBlank(character) && SYNTAX.indexOf(character) < 0;
	}

	private static boolean isBlank(int character) {
		return Character.isISOControl(character) || Character.isSpaceChar(character);
	}

}
