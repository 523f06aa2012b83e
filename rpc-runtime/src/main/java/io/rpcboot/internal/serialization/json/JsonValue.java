package io.rpcboot.internal.serialization.json;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.rpcboot.internal.serialization.types.value.ExactTypes;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Class of values that are one token of JSON. A value with a text form can be the name of
 * a property, as the key of a map.
 *
 * @param <T> the class of the values
 * @param javaType declared class
 * @param box class of the values
 * @param writer writes the token
 * @param reader reads the token
 * @param ofText reads the text form of a value; null if there is none
 * @param size heap size of a value without its text, in bytes
 */
record JsonValue<T>(Class<?> javaType, Class<T> box, BiConsumer<JsonOutput, T> writer, Function<JsonInput, T> reader,
		@Nullable Function<String, T> ofText, int size) implements JsonType {

	static final JsonValue<String> TEXT = new JsonValue<>(String.class, String.class, JsonOutput::writeText,
			JsonInput::string, (text) -> text, 0);

	/** Creates a class of values with the heap size of a box. */
	JsonValue(Class<T> type, BiConsumer<JsonOutput, T> writer, Function<JsonInput, T> reader,
			@Nullable Function<String, T> ofText) {
		this(type, type, writer, reader, ofText, ReadBudget.BOX);
	}

	/** Returns the type of a primitive, which is never null. */
	JsonValue<T> primitive(Class<?> type) {
		return new JsonValue<>(type, this.box, this.writer, this.reader, null, this.size);
	}

	private @Nullable Object requirePresent(@Nullable Object value) {
		if (value == null && this.javaType.isPrimitive()) {
			throw new PathException("null (expected: %s)".formatted(this.javaType));
		}
		return value;
	}

	@Override
	public void write(JsonOutput out, Object value) {
		this.writer.accept(out, this.box.cast(ExactTypes.require(value, this.box)));
	}

	@Override
	public void writeNullable(JsonOutput out, @Nullable Object value) {
		JsonType.super.writeNullable(out, requirePresent(value));
	}

	@Override
	public Object read(JsonInput in) {
		in.budget().charge(this.size);
		return this.reader.apply(in);
	}

	@Override
	public @Nullable Object readNullable(JsonInput in) {
		return requirePresent(JsonType.super.readNullable(in));
	}

	@Override
	public boolean hasNames() {
		return this.ofText != null;
	}

	@Override
	public @Nullable String name(Object value) {
		return hasNames() ? ExactTypes.require(value, this.box).toString() : null;
	}

	@Override
	public @Nullable Object ofName(JsonInput in, String name) {
		in.budget().charge(this.size);
		return Objects.requireNonNull(this.ofText).apply(name);
	}

}
