package io.rpcboot.serialization.contract;

import java.nio.charset.StandardCharsets;

/**
 * Which names have a place in the text of a contract. The JVM allows names that Java does
 * not, and other languages use them.
 */
final class Names {

	static final int MAX_LENGTH = 500;

	private static final String SYNTAX = ",<>()[]";

	private Names() {
	}

	/** Neither blank nor control characters, nor anything that UTF-8 cannot carry. */
	static boolean isWord(String name) {
		return !name.isEmpty() && name.length() <= MAX_LENGTH && name.chars().noneMatch(Names::isBlank)
				&& StandardCharsets.UTF_8.newEncoder().canEncode(name);
	}

	/** A word that can stand in a signature. */
	static boolean isName(String name) {
		return isWord(name) && name.chars().allMatch(Names::isPartOfName);
	}

	static boolean isPartOfName(int character) {
		return !isBlank(character) && SYNTAX.indexOf(character) < 0;
	}

	private static boolean isBlank(int character) {
		return Character.isISOControl(character) || Character.isSpaceChar(character);
	}

}
