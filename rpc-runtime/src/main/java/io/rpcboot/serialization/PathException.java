package io.rpcboot.serialization;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Failure within a value, which collects the path to the value while it is propagated.
 * The codec of the method converts it into a {@link SerializationException} that names
 * the method. Example: the steps {@code [2]}, {@code .items} and {@code order} become
 * {@code OrderService.place: arguments order.items[2]: null (expected: long)}.
 *
 * @since 0.1.0
 */
public final class PathException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_PATH = 160;

	private static final int MAX_STEP = 60;

	private static final int MAX_EXPECTED = 20;

	/**
	 * Maximum length of a message. Messages of other libraries may contain everything
	 * that was read.
	 */
	private static final int MAX_MESSAGE = 4000;

	private final StringBuilder path = new StringBuilder();

	/** Objects on the path of a nesting that was too deep. */
	private final transient Set<Object> holders = Collections.newSetFromMap(new IdentityHashMap<>());

	private boolean isTooDeep;

	private @Nullable Class<?> cycle;

	/**
	 * Creates an exception.
	 * @param message found and expected value
	 */
	public PathException(String message) {
		this(message, null);
	}

	/**
	 * Creates an exception.
	 * @param message found and expected value
	 * @param cause the cause, null for none
	 */
	public PathException(String message, @Nullable Throwable cause) {
		super((message.length() > MAX_MESSAGE) ? message.substring(0, MAX_MESSAGE) + "…" : message, cause, false,
				false);
	}

	/**
	 * Returns the step of an entry of a map.
	 * @param key key of the entry, null if it is unknown
	 * @return the key in braces if it has a short text, else empty braces
	 */
	public static String entry(@Nullable Object key) {
		if (key instanceof String text && text.isEmpty()) {
			return "{\"\"}";
		}
		return (key instanceof String || key instanceof Integer || key instanceof Long || key instanceof Enum<?>)
				? "{" + key + "}" : "{}";
	}

	/**
	 * Joins the first expected values. A peer's contract may have many.
	 * @param all expected values
	 * @return at most 20 values, separated by commas
	 */
	public static String some(Stream<?> all) {
		List<String> some = new ArrayList<>(all.limit(MAX_EXPECTED + 1).map(String::valueOf).toList());
		if (some.size() > MAX_EXPECTED) {
			some.set(MAX_EXPECTED, "…");
		}
		return String.join(", ", some);
	}

	/**
	 * Prepends a step to the path of a failure.
	 * @param step the step, cut if it is long
	 * @param failure the failure
	 * @return exception to throw; a {@link MessageTooLargeException} is unchanged
	 */
	public static RuntimeException at(String step, RuntimeException failure) {
		if (failure instanceof MessageTooLargeException) {
			return failure;
		}
		PathException result = of(failure);
		result.path.insert(0, (step.length() > MAX_STEP) ? step.substring(0, MAX_STEP) + "…" : step);
		return result;
	}

	/**
	 * Returns the refusal of objects that are nested too deep. {@link #through} finds out
	 * whether they are a cycle.
	 * @param limit maximum depth
	 * @return exception to throw
	 */
	public static PathException tooDeep(int limit) {
		PathException result = new PathException("nested deeper than %d levels".formatted(limit));
		result.isTooDeep = true;
		return result;
	}

	/**
	 * Adds an object to the path of a failure, to find a cycle.
	 * @param holder object that contains the value
	 * @param failure the failure
	 * @return exception to throw; a {@link MessageTooLargeException} is unchanged
	 */
	public static RuntimeException through(Object holder, Throwable failure) {
		if (failure instanceof MessageTooLargeException tooLarge) {
			return tooLarge;
		}
		PathException result = of(failure);
		if (result.isTooDeep && !result.holders.add(holder)) {
			result.cycle = holder.getClass();
		}
		return result;
	}

	/**
	 * Converts a failure into one that collects a path.
	 * @param failure the failure; an {@link Error} is thrown again
	 * @return the failure itself or one with it as the cause
	 */
	public static PathException of(Throwable failure) {
		if (failure instanceof PathException known) {
			return known;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		return new PathException(failure.toString(), failure);
	}

	/**
	 * Returns the refusal of null for a required value.
	 * @param contract expected type
	 * @return exception to throw
	 */
	public static PathException missing(TypeRef contract) {
		return new PathException("null (expected: %s)".formatted(contract));
	}

	/**
	 * Converts a failure into the exception for the caller of a codec.
	 * @param method name of the method
	 * @param what part of the call, such as {@code arguments}
	 * @param failure the failure
	 * @return exception to throw; a {@link MessageTooLargeException} is unchanged
	 */
	public static SerializationException failure(String method, String what, RuntimeException failure) {
		return (failure instanceof MessageTooLargeException tooLarge) ? tooLarge : of(failure).in(method, what);
	}

	private SerializationException in(String method, String what) {
		String message = (this.cycle == null) ? getMessage()
				: "a cycle: the %s leads back to itself (expected: a tree, in which what is shared becomes copies)"
					.formatted(this.cycle.getName());
		return new SerializationException("%s: %s%s: %s".formatted(method, what, shortened(this.path), message),
				getCause());
	}

	/** Returns a path without its middle if it is long. */
	private static String shortened(Object path) {
		String text = path.toString();
		return (text.length() <= MAX_PATH) ? text
				: text.substring(0, MAX_PATH / 2) + "…" + text.substring(text.length() - MAX_PATH / 2);
	}

}
