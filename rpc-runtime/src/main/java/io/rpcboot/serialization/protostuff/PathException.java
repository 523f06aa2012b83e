package io.rpcboot.serialization.protostuff;

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
final class PathException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_PATH = 160;

	private static final int MAX_STEP = 60;

	private static final int MAX_MESSAGE = 4000;

	private final StringBuilder path = new StringBuilder();

	/** The objects that hold each other where the nesting was too deep. */
	private final Set<Object> holders = Collections.newSetFromMap(new IdentityHashMap<>());

	private boolean isTooDeep;

	private @Nullable Class<?> cycle;

	PathException(String message) {
		this(message, null);
	}

	PathException(String message, @Nullable Throwable cause) {
		super(shortened(message), cause, false, false);
	}

	/**
	 * Prepend a step to the path of a failure.
	 * @return what to throw
	 */
	static RuntimeException at(String step, RuntimeException failure) {
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
	static PathException tooDeep(int limit) {
		PathException result = new PathException("nested deeper than %d levels".formatted(limit));
		result.isTooDeep = true;
		return result;
	}

	/** Note an object that a failure passes on its way up. */
	static RuntimeException through(Object holder, Throwable failure) {
		RuntimeException result = rethrow(failure);
		if (result instanceof PathException known && known.isTooDeep && !known.holders.add(holder)) {
			known.cycle = holder.getClass();
		}
		return result;
	}

	/** What to throw for a failure that may be a limit, whose type is kept. */
	static RuntimeException rethrow(Throwable failure) {
		return (failure instanceof MessageTooLargeException tooLarge) ? tooLarge : of(failure);
	}

	static PathException of(Throwable failure) {
		if (failure instanceof PathException known) {
			return known;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		return new PathException(failure.toString(), failure);
	}

	/** What others say may hold all of what was read. */
	private static String shortened(String message) {
		return (message.length() > MAX_MESSAGE) ? message.substring(0, MAX_MESSAGE) + "…" : message;
	}

	/** The refusal of a null for a value that must be there. */
	static PathException missing(TypeRef contract) {
		return new PathException("null (expected: %s)".formatted(contract));
	}

	/**
	 * What the caller of a codec gets for a failure.
	 * @param method for the message
	 * @param what part of the call it is
	 * @param failure a limit stays what it is
	 */
	static SerializationException failure(String method, String what, RuntimeException failure) {
		return (failure instanceof MessageTooLargeException tooLarge) ? tooLarge : of(failure).in(method, what);
	}

	private SerializationException in(String method, String what) {
		String where = this.path.toString();
		if (where.length() > MAX_PATH) {
			where = where.substring(0, MAX_PATH / 2) + "…" + where.substring(where.length() - MAX_PATH / 2);
		}
		String message = (this.cycle == null) ? getMessage()
				: "a cycle: the %s leads back to itself (expected: a tree, in which what is shared becomes copies)"
					.formatted(this.cycle.getName());
		return new SerializationException("%s: %s%s: %s".formatted(method, what, where, message), getCause());
	}

}
