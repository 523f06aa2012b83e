package io.rpcboot.serialization.jackson;

import java.util.function.BiFunction;
import java.util.function.Function;

import io.rpcboot.serialization.protostuff.ReadBudget;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * An object that holds one value or none, such as {@code Optional}: an array of one
 * element or of none, so that an empty one and null differ.
 */
final class JsonHolder extends JsonType {

	private final JsonType held;

	private final Function<Object, @Nullable Object> getter;

	private final BiFunction<@Nullable Object, ReadBudget, Object> maker;

	/**
	 * Create a type.
	 * @param getter gives null for none
	 * @param maker takes null for none
	 */
	JsonHolder(Class<?> type, JsonType held, Function<Object, @Nullable Object> getter,
			BiFunction<@Nullable Object, ReadBudget, Object> maker) {
		super(type);
		this.held = held;
		this.getter = getter;
		this.maker = maker;
	}

	@Override
	void write(JsonGenerator out, Object value) {
		Object content = this.getter.apply(value);
		out.writeStartArray();
		if (content != null) {
			this.held.write(out, content);
		}
		out.writeEndArray();
	}

	@Override
	Object read(JsonInput in) {
		require(in, JsonToken.START_ARRAY);
		if (in.nextToken() == JsonToken.END_ARRAY) {
			return this.maker.apply(null, in.budget());
		}
		Object content = this.held.readNullable(in);
		in.nextToken();
		require(in, JsonToken.END_ARRAY);
		return this.maker.apply(content, in.budget());
	}

}
