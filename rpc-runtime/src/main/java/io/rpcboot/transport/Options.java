package io.rpcboot.transport;

import java.time.Duration;
import java.util.function.Consumer;

import io.rpcboot.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What all options have in common: nobody changes them, a changed copy is made instead,
 * and each value is checked where it is given, with one form of message.
 */
public abstract class Options implements Cloneable {

	/** Bytes of attachments that a side takes unless it says otherwise. */
	protected static final int DEFAULT_ATTACHMENTS = 8 * 1024;

	private static final int LARGEST_ATTACHMENTS = 0xffff;

	private static final Duration LONGEST = Duration.ofDays(36_500);

	protected Options() {
	}

	/**
	 * Copy these options, to change the copy before anybody else has it.
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
	 * Refuse a value.
	 * @param valid whether the value is good
	 * @param name name of the option, as its property is called after the prefix
	 * @param value what was given
	 * @param expected the rule
	 * @throws InvalidOptionException if it is not valid
	 */
	public static void require(boolean valid, String name, Object value, String expected) {
		if (!valid) {
			throw new InvalidOptionException(name, value, expected);
		}
	}

	/**
	 * Refuse a bound of attachments that a frame cannot have.
	 * @param bytes what was given
	 * @return the value
	 * @throws InvalidOptionException if it is negative or more than 65535
	 */
	public static int attachmentsSize(int bytes) {
		require(bytes >= 0 && bytes <= LARGEST_ATTACHMENTS, "max-attachments-size", bytes, "0 (none) to 65535 bytes");
		return bytes;
	}

	/**
	 * Refuse a duration that is not positive.
	 * @param name name of the option
	 * @param value what was given
	 * @return the value
	 * @throws InvalidOptionException if it is zero or negative
	 */
	public static Duration positive(String name, Duration value) {
		require(!value.isZero() && !value.isNegative(), name, value, "a positive duration such as 3s");
		return value;
	}

	/**
	 * A duration for arithmetic: no duration overflows it.
	 * @param duration the duration
	 * @return nanoseconds, at most a hundred years
	 */
	public static long nanos(Duration duration) {
		return (duration.compareTo(LONGEST) < 0) ? duration.toNanos() : LONGEST.toNanos();
	}

	/** An option whose value breaks its rule. */
	public static final class InvalidOptionException extends RpcConfigurationException {

		private static final long serialVersionUID = 1L;

		private final String name;

		InvalidOptionException(String name, Object value, String expected) {
			this(name, value, expected, "Set %s to %s.".formatted(name, expected));
		}

		/**
		 * An option whose mending takes more than another value.
		 * @param name name of the option, as its property is called after the prefix
		 * @param value what was given
		 * @param expected the rule
		 * @param action what to do, which begins with "Set" and the name of an option
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
		 * An option whose value follows its rule and does not work here.
		 * @param name name of the option, as its property is called after the prefix
		 * @param problem what was given, and why it does not work
		 * @param action what to do, which begins with "Set" and the name of an option
		 * @param cause the cause, null for none
		 * @return the exception
		 */
		public static InvalidOptionException unusable(String name, String problem, String action,
				@Nullable Throwable cause) {
			return new InvalidOptionException(name, name + ": " + problem, action, cause);
		}

		/**
		 * The option.
		 * @return its name, as its property is called after the prefix
		 */
		public String name() {
			return this.name;
		}

	}

}
