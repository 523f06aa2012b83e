package io.rpcboot.serialization.jackson;

import io.rpcboot.serialization.types.PathException;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A primitive type: never null, unless its writer declares the box, whose null is zero.
 */
final class JsonPrimitive extends JsonType {

	private final JsonType box;

	private final @Nullable Object zero;

	JsonPrimitive(Class<?> type, JsonType box, @Nullable Object zero) {
		super(type);
		this.box = box;
		this.zero = zero;
	}

	@Override
	void write(JsonGenerator out, Object value) {
		this.box.write(out, value);
	}

	@Override
	void writeNullable(JsonGenerator out, @Nullable Object value) {
		if (value == null) {
			throw missing();
		}
		write(out, value);
	}

	@Override
	@Nullable Object read(JsonInput in) {
		return this.box.read(in);
	}

	@Override
	Object readNullable(JsonInput in) {
		Object value = super.readNullable(in);
		if (value != null) {
			return value;
		}
		if (this.zero == null) {
			throw missing();
		}
		return this.zero;
	}

	private PathException missing() {
		return new PathException("null (expected: %s)".formatted(javaType()));
	}

}
