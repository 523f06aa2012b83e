package io.rpcboot.benchmarks.streams;

import java.util.Arrays;
import java.util.Locale;

/**
 * Side that sends the elements of a stream.
 */
public enum Direction {

	/** The server sends. */
	DOWN("server stream"),

	/** The client sends. */
	UP("client stream"),

	/** The client sends, and the server sends each element back. */
	BOTH("both ways"),

	/** The server sends an {@link java.io.InputStream}. */
	BYTES("InputStream");

	private final String label;

	Direction(String label) {
		this.label = label;
	}

	/**
	 * Name in reports.
	 * @return a few words
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Name in options and commands.
	 * @return one word
	 */
	public String word() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Reads an option or a command.
	 * @param word one of {@link #word()}
	 * @return the direction
	 * @throws IllegalArgumentException if it is none
	 */
	public static Direction of(String word) {
		return Arrays.stream(values())
			.filter((each) -> each.word().equals(word))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("direction: " + word + " (expected one of "
					+ Arrays.stream(values()).map(Direction::word).toList() + ")"));
	}

}
