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
 * A failure on its way up, which collects the path as it passes; the method's codec turns
 * it into a {@link SerializationException} that names the method.
 */
public final class PathException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_PATH = 160;

	private static final int MAX_STEP = 60;

	private static final int MAX_EXPECTED = 20;

	/** What others say may hold all of what was read. */
	private static final int MAX_MESSAGE = 4000;

	private final StringBuilder path = new StringBuilder();

	/** The objects that hold each other where the nesting was too deep. */
	private final Set<Object> holders = Collections.newSetFromMap(new IdentityHashMap<>());

	private boolean isTooDeep;

	private @Nullable Class<?> cycle;

	/** With what was found and what was expected. */
	public PathException(String message) {
		this(message, null);
	}

	public PathException(String message, @Nullable Throwable cause) {
		super((message.length() > MAX_MESSAGE) ? message.substring(0, MAX_MESSAGE) + "…" : message, cause, false,
				false);
	}

	/**
	 * The step of an entry of a map in the path of a failure: its key in braces, as far
	 * as that has a short text.
	 */
	public static String entry(@Nullable Object key) {
		if (key instanceof String text && text.isEmpty()) {
			return "{\"\"}";
		}
		return (key instanceof String || key instanceof Integer || key instanceof Long || key instanceof Enum<?>)
				? "{" + key + "}" : "{}";
	}

	/** The first of what was expected, which may be as much as a peer's table has. */
	public static String some(Stream<?> all) {
		List<String> some = new ArrayList<>(all.limit(MAX_EXPECTED + 1).map(String::valueOf).toList());
		if (some.size() > MAX_EXPECTED) {
			some.set(MAX_EXPECTED, "…");
		}
		return String.join(", ", some);
	}

	/**
	 * What to throw for a failure on its way up: a step, shortened if it is long, is
	 * prepended to its path. A limit stays what it is.
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
	 */
	public static PathException tooDeep(int limit) {
		PathException result = new PathException("nested deeper than %d levels".formatted(limit));
		result.isTooDeep = true;
		return result;
	}

	/**
	 * What to throw for a failure on its way up, which notes an object that it passes. A
	 * limit stays what it is.
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

	/** A failure as one that collects a path; an error is thrown again. */
	public static PathException of(Throwable failure) {
		if (failure instanceof PathException known) {
			return known;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		return new PathException(failure.toString(), failure);
	}

	/** The refusal of a null for a value that must be there. */
	public static PathException missing(TypeRef contract) {
		return new PathException("null (expected: %s)".formatted(contract));
	}

	/**
	 * What the caller of a codec gets for a failure in a part of the call. A limit stays
	 * what it is.
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
