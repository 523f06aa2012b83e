package io.rpcboot.serialization.types;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A failure on its way up, which collects the path as it passes; the method's codec turns
 * it into a {@link SerializationException} that names the method.
 */
public final class PathException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_PATH = 160;

	private static final int MAX_STEP = 60;

	/** What others say may hold all of what was read. */
	private static final int MAX_MESSAGE = 4000;

	private final StringBuilder path = new StringBuilder();

	/** The objects that hold each other where the nesting was too deep. */
	private final Set<Object> holders = Collections.newSetFromMap(new IdentityHashMap<>());

	private boolean isTooDeep;

	private @Nullable Class<?> cycle;

	/**
	 * Create an exception.
	 * @param message what was found and what was expected
	 */
	public PathException(String message) {
		this(message, null);
	}

	/**
	 * Create an exception.
	 * @param message what was found and what was expected
	 * @param cause the cause, null for none
	 */
	public PathException(String message, @Nullable Throwable cause) {
		super((message.length() > MAX_MESSAGE) ? message.substring(0, MAX_MESSAGE) + "…" : message, cause, false,
				false);
	}

	/**
	 * The step of an entry of a map in the path of a failure.
	 * @param key of the entry
	 * @return its text in braces, as far as it has a short one
	 */
	public static String entry(@Nullable Object key) {
		if (key instanceof String text && text.isEmpty()) {
			return "{\"\"}";
		}
		return (key instanceof String || key instanceof Integer || key instanceof Long || key instanceof Enum<?>)
				? "{" + key + "}" : "{}";
	}

	/**
	 * Prepend a step to the path of a failure.
	 * @param step shortened if it is long
	 * @param failure on its way up
	 * @return what to throw; a limit stays what it is
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
	 * The refusal of objects that nest too deep; the path shows whether they are a cycle.
	 * @param limit that was reached
	 * @return what to throw
	 */
	public static PathException tooDeep(int limit) {
		PathException result = new PathException("nested deeper than %d levels".formatted(limit));
		result.isTooDeep = true;
		return result;
	}

	/**
	 * Note an object that a failure passes on its way up.
	 * @param holder the object
	 * @param failure on its way up
	 * @return what to throw; a limit stays what it is
	 */
	public static RuntimeException through(Object holder, Throwable failure) {
		RuntimeException result = rethrow(failure);
		if (result instanceof PathException known && known.isTooDeep && !known.holders.add(holder)) {
			known.cycle = holder.getClass();
		}
		return result;
	}

	private static RuntimeException rethrow(Throwable failure) {
		return (failure instanceof MessageTooLargeException tooLarge) ? tooLarge : of(failure);
	}

	/**
	 * A failure as one that collects a path.
	 * @param failure what was thrown; an error is thrown again
	 * @return the same or a new one
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
	 * The refusal of a null for a value that must be there.
	 * @param contract its type
	 * @return what to throw
	 */
	public static PathException missing(TypeRef contract) {
		return new PathException("null (expected: %s)".formatted(contract));
	}

	/**
	 * What the caller of a codec gets for a failure.
	 * @param method for the message
	 * @param what part of the call it is
	 * @param failure a limit stays what it is
	 * @return what to throw
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

	/** A path without its middle if it is long. */
	private static String shortened(Object path) {
		String text = path.toString();
		return (text.length() <= MAX_PATH) ? text
				: text.substring(0, MAX_PATH / 2) + "…" + text.substring(text.length() - MAX_PATH / 2);
	}

}
