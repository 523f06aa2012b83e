package io.rpcboot.transport;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.rpcboot.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Base of all options: immutable, changed by copies, and checked at once. All messages
 * have the form {@code name: value (expected: rule)}.
 *
 * @since 0.1.0
 */
public abstract class Options implements Cloneable {

	/** Default maximum of bytes of attachments. */
	protected static final int DEFAULT_ATTACHMENTS = 8 * 1024;

	private static final int LARGEST_ATTACHMENTS = 0xffff;

	private static final Duration LONGEST = Duration.ofDays(36_500);

	protected Options() {
	}

	/**
	 * Returns a copy, to be changed before another object gets it.
	 * @param <O> the type of these options
	 * @return the copy
	 */
	@SuppressWarnings("unchecked")
	protected final <O extends Options> O copy() {
		try {
			return (O) clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns a changed copy of these options.
	 * @param <O> the type of these options
	 * @param change sets fields of the copy
	 * @return the copy
	 */
	protected final <O extends Options> O copy(Consumer<O> change) {
		O copy = copy();
		change.accept(copy);
		return copy;
	}

	/**
	 * Returns a map with one more or another entry.
	 * @param <V> the type of the values
	 * @param values the other entries
	 * @param key the key
	 * @param value the value
	 * @return an immutable map
	 */
	protected static <V> Map<String, V> with(Map<String, V> values, String key, V value) {
		Map<String, V> changed = new HashMap<>(values);
		changed.put(key, value);
		return Map.copyOf(changed);
	}

	/**
	 * Rejects an invalid value.
	 * @param valid true if the value is valid
	 * @param name name of the option, like its property without the prefix
	 * @param value the value
	 * @param expected the rule
	 * @throws InvalidOptionException if it is not valid
	 */
	public static void require(boolean valid, String name, Object value, String expected) {
		if (!valid) {
			throw new InvalidOptionException(name, value, expected);
		}
	}

	/**
	 * Rejects a maximum of attachments that does not fit into a frame.
	 * @param bytes the value
	 * @return the value
	 * @throws InvalidOptionException if it is negative or more than 65535
	 */
	public static int attachmentsSize(int bytes) {
		require(bytes >= 0 && bytes <= LARGEST_ATTACHMENTS, "max-attachments-size", bytes, "0 (none) to 65535 bytes");
		return bytes;
	}

	/**
	 * Rejects a duration that is not positive.
	 * @param name name of the option
	 * @param value the value
	 * @return the value
	 * @throws InvalidOptionException if it is zero or negative
	 */
	public static Duration positive(String name, Duration value) {
		require(!value.isZero() && !value.isNegative(), name, value, "a positive duration such as 3s");
		return value;
	}

	/**
	 * Converts a duration for arithmetic, without an overflow.
	 * @param duration the duration
	 * @return nanoseconds, at most 100 years
	 */
	public static long nanos(Duration duration) {
		return (duration.compareTo(LONGEST) < 0) ? duration.toNanos() : LONGEST.toNanos();
	}

	/** Thrown if the value of an option is invalid. */
	public static final class InvalidOptionException extends RpcConfigurationException {

		private static final long serialVersionUID = 1L;

		private final String name;

		InvalidOptionException(String name, Object value, String expected) {
			this(name, value, expected, "Set %s to %s.".formatted(name, expected));
		}

		/**
		 * Creates an exception for a value that needs more than another value.
		 * @param name name of the option, like its property without the prefix
		 * @param value the value
		 * @param expected the rule
		 * @param action the remedy; begins with "Set" and the name of an option
		 */
		public InvalidOptionException(String name, Object value, String expected, String action) {
			super("%s: %s (expected: %s)".formatted(name, value, expected), action);
			this.name = name;
		}

		private InvalidOptionException(String name, String description, String action, @Nullable Throwable cause) {
			super(description, action, cause);
			this.name = name;
		}

		/**
		 * Returns an exception for a value that follows its rule but does not work here.
		 * @param name name of the option, like its property without the prefix
		 * @param problem the value, and the reason why it does not work
		 * @param action the remedy; begins with "Set" and the name of an option
		 * @param cause the cause, null for none
		 * @return the exception
		 */
		public static InvalidOptionException unusable(String name, String problem, String action,
				@Nullable Throwable cause) {
			return new InvalidOptionException(name, name + ": " + problem, action, cause);
		}

		/**
		 * Returns the option.
		 * @return its name, like its property without the prefix
		 */
		public String name() {
			return this.name;
		}

	}

}
