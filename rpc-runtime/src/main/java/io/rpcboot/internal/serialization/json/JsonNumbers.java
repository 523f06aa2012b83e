package io.rpcboot.internal.serialization.json;

import java.util.List;

import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonToken;

/**
 * Reads and writes numbers without a loss of digits.
 */
final class JsonNumbers {

	private static final List<String> NOT_FINITE = List.of("NaN", "Infinity", "-Infinity");

	private JsonNumbers() {
	}

	static long integer(JsonInput in, long least, long most) {
		in.require(JsonToken.VALUE_NUMBER_INT);
		long value = in.getLongValue();
		if (value < least || value > most) {
			throw new PathException("%d (expected: %d to %d)".formatted(value, least, most));
		}
		return value;
	}

	/** Returns the digits of a number, or the name of one that is not finite. */
	static String floating(JsonInput in) {
		String text = in.text();
		boolean valid = (in.currentToken() == JsonToken.VALUE_STRING) ? NOT_FINITE.contains(text)
				: in.currentToken() == JsonToken.VALUE_NUMBER_INT || in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT;
		if (!valid) {
			throw new PathException("%s (expected: a number, or one of %s)".formatted(in.found(), NOT_FINITE));
		}
		return text;
	}

}
