package io.rpcboot.serialization.fory;

import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A failure on its way up, which collects the path as it passes.
 */
final class ForyFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_PATH = 160;

	private final StringBuilder path = new StringBuilder();

	ForyFailure(String message) {
		this(message, null);
	}

	private ForyFailure(String message, @Nullable Throwable cause) {
		super(message, cause, false, false);
	}

	/**
	 * Prepend a step to the path of a failure.
	 * @return what to throw
	 */
	static RuntimeException at(String step, RuntimeException failure) {
		if (failure instanceof MessageTooLargeException) {
			return failure;
		}
		ForyFailure result = of(failure);
		result.path.insert(0, step);
		return result;
	}

	private static ForyFailure of(RuntimeException failure) {
		if (failure instanceof ForyFailure known) {
			return known;
		}
		if (failure instanceof SerializationException clear) {
			return new ForyFailure(String.valueOf(clear.getMessage()), clear.getCause());
		}
		return new ForyFailure(failure.toString(), failure);
	}

	/**
	 * What the caller of a codec gets for a failure.
	 * @param method for the message
	 * @param what part of the call it is
	 * @param failure a limit stays what it is
	 */
	static SerializationException in(String method, String what, RuntimeException failure) {
		if (failure instanceof MessageTooLargeException tooLarge) {
			return tooLarge;
		}
		ForyFailure known = of(failure);
		String where = known.path.toString();
		if (where.length() > MAX_PATH) {
			where = where.substring(0, MAX_PATH / 2) + "…" + where.substring(where.length() - MAX_PATH / 2);
		}
		return new SerializationException("%s: %s%s: %s".formatted(method, what, where, known.getMessage()),
				known.getCause());
	}

}
