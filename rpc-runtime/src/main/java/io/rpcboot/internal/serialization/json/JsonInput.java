package io.rpcboot.internal.serialization.json;

import java.util.EnumMap;
import java.util.Map;

import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Parser of one message, with its read budget. For one thread.
 */
public final class JsonInput extends JsonParserDelegate {

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

	public ReadBudget budget() {
		return this.budget;
	}

	/** Enters a level of nesting. {@link #leave} leaves it, unless the message fails. */
	void enter() {
		if (++this.depth > Format.MAX_DEPTH) {
			throw PathException.tooDeep(Format.MAX_DEPTH);
		}
	}

	void leave() {
		this.depth--;
	}

	/** Refuses any other token than the expected one. */
	public void require(JsonToken expected) {
		if (currentToken() != expected) {
			throw new PathException("%s (expected: %s)".formatted(found(), WORDS.get(expected)));
		}
	}

	/** Returns the current token in words. */
	public String found() {
		JsonToken token = currentToken();
		return (token != null) ? WORDS.getOrDefault(token, String.valueOf(token.asString())) : "the end of the bytes";
	}

	/** Advances to the next token, which must be the expected one. */
	public void next(JsonToken expected) {
		nextToken();
		require(expected);
	}

	/** Advances to the value of the next property, which must have the given name. */
	void nextProperty(String name) {
		next(JsonToken.PROPERTY_NAME);
		if (!currentName().equals(name)) {
			throw new PathException("a property '%s' (expected: '%s')".formatted(currentName(), name));
		}
		nextToken();
	}

	/** Charges the heap size of a text. */
	void chargeText(int length) {
		this.budget.charge(ReadBudget.TEXT + (long) Character.BYTES * length);
	}

	/** Returns the text of the current token. */
	String text() {
		chargeText(getStringLength());
		return getString();
	}

	/** Returns the text of the current token, which must be a string. */
	String string() {
		require(JsonToken.VALUE_STRING);
		return text();
	}

	/** Returns the name of the current property, which is the key of a map. */
	String key() {
		String name = currentName();
		chargeText(2 * name.length());
		return name;
	}

}
