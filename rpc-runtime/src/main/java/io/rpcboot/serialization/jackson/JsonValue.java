package io.rpcboot.serialization.jackson;

import java.lang.reflect.Modifier;
import java.util.function.BiConsumer;
import java.util.function.Function;

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

	private final Class<T> type;

	private final BiConsumer<JsonGenerator, T> writer;

	private final Function<JsonInput, T> reader;

	private final @Nullable Function<T, String> toText;

	private final @Nullable Function<String, T> ofText;

	/** What a value takes, in bytes, besides its text. */
	private final int size;

	private final boolean exact;

	private JsonValue(Class<T> type, BiConsumer<JsonGenerator, T> writer, Function<JsonInput, T> reader,
			@Nullable Function<T, String> toText, @Nullable Function<String, T> ofText, int size) {
		super(type);
		this.type = type;
		this.writer = writer;
		this.reader = reader;
		this.toText = toText;
		this.ofText = ofText;
		this.size = size;
		this.exact = !Modifier.isAbstract(type.getModifiers());
	}

	/** A value that cannot be the name of a property. */
	static <T> JsonValue<T> of(Class<T> type, BiConsumer<JsonGenerator, T> writer, Function<JsonInput, T> reader) {
		return new JsonValue<>(type, writer, reader, null, null, ReadBudget.BOX);
	}

	/** A number or a boolean, whose text can be the name of a property. */
	static <T> JsonValue<T> of(Class<T> type, BiConsumer<JsonGenerator, T> writer, Function<JsonInput, T> reader,
			Function<String, T> ofText) {
		return new JsonValue<>(type, writer, reader, Object::toString, ofText, ReadBudget.BOX);
	}

	/**
	 * A value whose text says all.
	 * @param size what it takes besides its text, in bytes
	 */
	static <T> JsonValue<T> text(Class<T> type, int size, Function<T, String> toText, Function<String, T> ofText) {
		return new JsonValue<>(type, (out, value) -> JsonText.write(out, toText.apply(value)),
				(in) -> ofText.apply(string(in)), toText, ofText, size);
	}

	static String string(JsonInput in) {
		require(in, JsonToken.VALUE_STRING);
		return in.text();
	}

	@Override
	void write(JsonGenerator out, Object value) {
		this.writer.accept(out, checked(value));
	}

	private T checked(Object value) {
		if (this.exact && value.getClass() != this.type) {
			throw new PathException("%s where %s is declared (expected: exactly that class)"
				.formatted(value.getClass().getName(), this.type.getName()));
		}
		return this.type.cast(value);
	}

	@Override
	Object read(JsonInput in) {
		in.budget().charge(this.size);
		return this.reader.apply(in);
	}

	@Override
	@Nullable String name(Object value) {
		return (this.toText != null) ? this.toText.apply(checked(value)) : null;
	}

	@Override
	@Nullable Object ofName(JsonInput in, String name) {
		in.budget().charge(this.size);
		return (this.ofText != null) ? this.ofText.apply(name) : super.ofName(in, name);
	}

}
