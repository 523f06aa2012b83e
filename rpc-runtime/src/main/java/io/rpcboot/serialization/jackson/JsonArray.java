package io.rpcboot.serialization.jackson;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * An array, of primitives as well.
 */
final class JsonArray extends JsonType {

	/** A list and the array. */
	private static final int EMPTY = 96;

	/** A reference in the list, which grows, and an element of the array. */
	private static final int ELEMENT = 26;

	private final JsonType component;

	JsonArray(Class<?> componentType, JsonType component) {
		super(componentType.arrayType());
		this.component = component;
	}

	@Override
	void write(JsonGenerator out, Object value) {
		boolean isArray = javaType().getComponentType().isPrimitive() ? value.getClass() == javaType()
				: value instanceof Object[];
		if (!isArray) {
			throw new JsonFailure(
					"%s (expected: %s)".formatted(value.getClass().getTypeName(), javaType().getTypeName()));
		}
		int length = Array.getLength(value);
		out.writeStartArray();
		for (int i = 0; i < length; i++) {
			this.component.writeNullable(out, Array.get(value, i));
		}
		out.writeEndArray();
	}

	@Override
	Object read(JsonInput in) {
		require(in, JsonToken.START_ARRAY);
		List<@Nullable Object> elements = new ArrayList<>();
		in.budget().charge(EMPTY);
		while (in.nextToken() != JsonToken.END_ARRAY) {
			in.budget().charge(ELEMENT);
			elements.add(this.component.readNullable(in));
		}
		Object array = Array.newInstance(javaType().getComponentType(), elements.size());
		for (int i = 0; i < elements.size(); i++) {
			Array.set(array, i, elements.get(i));
		}
		return array;
	}

}
