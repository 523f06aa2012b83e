package io.rpcboot.serialization.jackson;

import java.util.EnumMap;
import java.util.Map;

import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * What one message is read from, and what reading it may take. For one thread.
 */
final class JsonInput extends JsonParserDelegate {

	private static final Map<JsonToken, String> WORDS = new EnumMap<>(Map.of(JsonToken.START_OBJECT, "an object",
			JsonToken.END_OBJECT, "the end of an object", JsonToken.START_ARRAY, "an array", JsonToken.END_ARRAY,
			"the end of an array", JsonToken.PROPERTY_NAME, "a property", JsonToken.VALUE_STRING, "a text",
			JsonToken.VALUE_NUMBER_INT, "an integer", JsonToken.VALUE_NUMBER_FLOAT, "a number with a fraction",
			JsonToken.VALUE_NULL, "null"));

	private final ReadBudget budget;

	private int depth;

	JsonInput(JsonParser parser, int length) {
		super(parser);
		this.budget = new ReadBudget(length);
	}

	ReadBudget budget() {
		return this.budget;
	}

	/** Enter a level of nesting. A failure within ends the message. */
	void enter() {
		if (++this.depth > Format.MAX_DEPTH) {
			throw PathException.tooDeep(Format.MAX_DEPTH);
		}
	}

	void leave() {
		this.depth--;
	}

	/** Refuse any other token than the expected one. */
	void require(JsonToken expected) {
		if (currentToken() != expected) {
			throw new PathException("%s (expected: %s)".formatted(found(), WORDS.get(expected)));
		}
	}

	/** The token in words. */
	String found() {
		JsonToken token = currentToken();
		return (token != null) ? WORDS.getOrDefault(token, String.valueOf(token.asString())) : "the end of the bytes";
	}

	/** Go to the next token, which must be the expected one. */
	void next(JsonToken expected) {
		nextToken();
		require(expected);
	}

	/** Go to the value of the next property, which must have a name. */
	void nextProperty(String name) {
		next(JsonToken.PROPERTY_NAME);
		if (!currentName().equals(name)) {
			throw new PathException("a property '%s' (expected: '%s')".formatted(currentName(), name));
		}
		nextToken();
	}

	/** Charge a text of as many characters. */
	void chargeText(int length) {
		this.budget.charge(ReadBudget.TEXT + (long) Character.BYTES * length);
	}

	/** The text of the token. */
	String text() {
		chargeText(getStringLength());
		return getString();
	}

	/** The text of a token that must be one. */
	String string() {
		require(JsonToken.VALUE_STRING);
		return text();
	}

	/** The name of a property that is a key of a map. */
	String key() {
		String name = currentName();
		chargeText(2 * name.length());
		return name;
	}

}
