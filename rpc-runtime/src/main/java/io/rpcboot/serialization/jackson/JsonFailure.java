package io.rpcboot.serialization.jackson;

import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamContext;

/**
 * What is wrong with a value, without the path, which the stream knows.
 */
final class JsonFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_PATH = 160;

	JsonFailure(String message) {
		super(message, null, false, false);
	}

	/**
	 * What the caller of a codec gets for a failure.
	 * @param method for the message
	 * @param what part of the call it is
	 * @param context where the stream stands
	 * @param failure a limit stays what it is
	 */
	static SerializationException in(String method, String what, TokenStreamContext context, RuntimeException failure) {
		if (failure instanceof MessageTooLargeException tooLarge) {
			return tooLarge;
		}
		String path = context.pathAsPointer().toString();
		if (path.length() > MAX_PATH) {
			path = path.substring(0, MAX_PATH / 2) + "…" + path.substring(path.length() - MAX_PATH / 2);
		}
		return new SerializationException("%s: %s%s: %s".formatted(method, what, path, message(failure)),
				cause(failure));
	}

	private static String message(RuntimeException failure) {
		if (failure instanceof JacksonException invalid) {
			return invalid.getOriginalMessage();
		}
		boolean clear = failure instanceof JsonFailure || failure instanceof SerializationException;
		return clear ? String.valueOf(failure.getMessage()) : failure.toString();
	}

	private static @Nullable Throwable cause(RuntimeException failure) {
		if (failure instanceof JsonFailure) {
			return null;
		}
		return (failure instanceof SerializationException) ? failure.getCause() : failure;
	}

}
