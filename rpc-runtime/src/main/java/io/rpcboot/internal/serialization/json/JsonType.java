package io.rpcboot.internal.serialization.json;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Writes and reads the values of one type in JSON. Thread-safe once linked.
 */
interface JsonType {

	/** Name of the property for a value of a choice that has no properties of its own. */
	String VALUE = "value";

	void write(JsonOutput out, Object value);

	/**
	 * Reads a value that is not null. The parser is at its first token before, and at its
	 * last token afterwards. Returns null for an enum constant that only the writer has.
	 */
	@Nullable Object read(JsonInput in);

	default void writeNullable(JsonOutput out, @Nullable Object value) {
		if (value == null) {
			out.writeNull();
			return;
		}
		write(out, value);
	}

	default @Nullable Object readNullable(JsonInput in) {
		return (in.currentToken() == JsonToken.VALUE_NULL) ? null : read(in);
	}

	/** Writes the properties of a value behind the one that names its type. */
	default void writeChosen(JsonOutput out, Object value) {
		out.writeName(VALUE);
		write(out, value);
	}

	/**
	 * Reads the properties behind the one that names the type, and the end of the object.
	 */
	default @Nullable Object readChosen(JsonInput in) {
		in.nextProperty(VALUE);
		Object value = read(in);
		in.next(JsonToken.END_OBJECT);
		return value;
	}

	/** Returns true if a value can be the name of a property, as a key of a map. */
	default boolean hasNames() {
		return false;
	}

	/** Returns the name of a value, null if it has none. */
	default @Nullable String name(Object value) {
		return null;
	}

	/** Returns the value of a name. */
	default @Nullable Object ofName(JsonInput in, String name) {
		throw new IllegalStateException("no value has a name");
	}

	/** Refuses a value that is not an instance of the declared class. */
	static Object requireInstance(Object value, Class<?> declared) {
		if (!declared.isInstance(value)) {
			throw new PathException(
					"%s (expected: %s)".formatted(value.getClass().getTypeName(), declared.getTypeName()));
		}
		return value;
	}

}
