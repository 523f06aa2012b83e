package io.rpcboot.serialization.jackson;

import io.rpcboot.serialization.types.PathException;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * How the values of one type stand in JSON. Thread-safe once it is linked.
 */
abstract class JsonType {

	private static final String VALUE = "value";

	private final Class<?> javaType;

	JsonType(Class<?> javaType) {
		this.javaType = javaType;
	}

	/** The declared class. */
	final Class<?> javaType() {
		return this.javaType;
	}

	abstract void write(JsonGenerator out, Object value);

	/**
	 * Read a value that is not null; the parser stands at its first token, and at its
	 * last one afterwards. Null is an enum constant that only the writer has.
	 */
	abstract @Nullable Object read(JsonInput in);

	void writeNullable(JsonGenerator out, @Nullable Object value) {
		if (value == null) {
			out.writeNull();
			return;
		}
		write(out, value);
	}

	@Nullable Object readNullable(JsonInput in) {
		return (in.currentToken() == JsonToken.VALUE_NULL) ? null : read(in);
	}

	/** Write the properties of a value behind the one that says its type. */
	void writeChosen(JsonGenerator out, Object value) {
		out.writeName(VALUE);
		write(out, value);
	}

	/**
	 * Read the properties behind the one that says the type, and the end of the object.
	 */
	@Nullable Object readChosen(JsonInput in) {
		in.nextProperty(VALUE);
		Object value = read(in);
		in.next(JsonToken.END_OBJECT);
		return value;
	}

	/** The name of a property for a key of a map, or null if it has none. */
	@Nullable String name(Object value) {
		return null;
	}

	/** The key for the name of a property. */
	@Nullable Object ofName(JsonInput in, String name) {
		throw new PathException("a property '%s' (expected: pairs of %s and value)".formatted(name, this.javaType));
	}

	/** Refuse what was put where its class is not declared. */
	static Object requireInstance(Object value, Class<?> declared) {
		if (!declared.isInstance(value)) {
			throw new PathException("%s (expected: %s)".formatted(value.getClass().getName(), declared.getName()));
		}
		return value;
	}

}
