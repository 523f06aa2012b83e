package io.rpcboot.serialization.jackson;

import java.util.function.BiConsumer;
import java.util.function.Function;

import io.rpcboot.serialization.types.Exact;
import io.rpcboot.serialization.types.PathException;
import io.rpcboot.serialization.types.ReadBudget;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * A class of values that is one token of JSON. One that has a text form is also the name
 * of a property, when it is the key of a map.
 */
final class JsonValue<T> extends JsonType {

	static final JsonValue<String> TEXT = new JsonValue<>(String.class, String.class, JsonText::write,
			JsonInput::string, (text) -> text, 0, null);

	private final Class<T> box;

	private final BiConsumer<JsonGenerator, T> writer;

	private final Function<JsonInput, T> reader;

	private final @Nullable Function<String, T> ofText;

	/** What a value takes, in bytes, besides its text. */
	private final int size;

	/** What null stands for where a primitive is declared; null if it is refused. */
	private final @Nullable Object zero;

	private JsonValue(Class<?> type, Class<T> box, BiConsumer<JsonGenerator, T> writer, Function<JsonInput, T> reader,
			@Nullable Function<String, T> ofText, int size, @Nullable Object zero) {
		super(type);
		this.box = box;
		this.writer = writer;
		this.reader = reader;
		this.ofText = ofText;
		this.size = size;
		this.zero = zero;
	}

	/**
	 * Create a value.
	 * @param ofText reads the text of a value; null if none is the name of a property
	 */
	JsonValue(Class<T> type, BiConsumer<JsonGenerator, T> writer, Function<JsonInput, T> reader,
			@Nullable Function<String, T> ofText) {
		this(type, type, writer, reader, ofText, ReadBudget.BOX, null);
	}

	/**
	 * A primitive type: never null, unless its writer declares the box, whose null is
	 * zero.
	 */
	JsonValue<T> primitive(Class<?> type, @Nullable Object zero) {
		return new JsonValue<>(type, this.box, this.writer, this.reader, null, this.size, zero);
	}

	private @Nullable Object requirePresent(@Nullable Object value) {
		if (value == null && javaType().isPrimitive()) {
			throw new PathException("null (expected: %s)".formatted(javaType()));
		}
		return value;
	}

	@Override
	void write(JsonGenerator out, Object value) {
		this.writer.accept(out, this.box.cast(Exact.require(value, this.box)));
	}

	@Override
	void writeNullable(JsonGenerator out, @Nullable Object value) {
		super.writeNullable(out, requirePresent(value));
	}

	@Override
	Object read(JsonInput in) {
		in.budget().charge(this.size);
		return this.reader.apply(in);
	}

	@Override
	@Nullable Object readNullable(JsonInput in) {
		return requirePresent((in.currentToken() == JsonToken.VALUE_NULL) ? this.zero : read(in));
	}

	@Override
	@Nullable String name(Object value) {
		return (this.ofText != null) ? Exact.require(value, this.box).toString() : null;
	}

	@Override
	@Nullable Object ofName(JsonInput in, String name) {
		in.budget().charge(this.size);
		return (this.ofText != null) ? this.ofText.apply(name) : super.ofName(in, name);
	}

}
