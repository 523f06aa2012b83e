package io.rpcboot.serialization.jackson;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * How the values of one type stand in JSON. Thread-safe once it is linked.
 */
interface JsonType {

	/** The property of a value that has none of its own. */
	String VALUE = "value";

	void write(JsonOutput out, Object value);

	/**
	 * Read a value that is not null; the parser stands at its first token, and at its
	 * last one afterwards. Null is an enum constant that only the writer has.
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

	/** Write the properties of a value behind the one that says its type. */
	default void writeChosen(JsonOutput out, Object value) {
		out.writeName(VALUE);
		write(out, value);
	}

	/**
	 * Read the properties behind the one that says the type, and the end of the object.
	 */
	default @Nullable Object readChosen(JsonInput in) {
		in.nextProperty(VALUE);
		Object value = read(in);
		in.next(JsonToken.END_OBJECT);
		return value;
	}

	/** Whether a value can be the name of a property, as a key of a map. */
	default boolean hasNames() {
		return false;
	}

	/** The name of a value, null if it has none. */
	default @Nullable String name(Object value) {
		return null;
	}

	/** The value of a name. */
	default @Nullable Object ofName(JsonInput in, String name) {
		throw new IllegalStateException("no value has a name");
	}

	/** Refuse what was put where its class is not declared. */
	static Object requireInstance(Object value, Class<?> declared) {
		if (!declared.isInstance(value)) {
			throw new PathException(
					"%s (expected: %s)".formatted(value.getClass().getTypeName(), declared.getTypeName()));
		}
		return value;
	}

}
