package io.rpcboot.serialization.jackson;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.protostuff.ServiceClass;
import io.rpcboot.serialization.protostuff.TypeLinker;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * A bean, a record or an exception: an object with a property for each field, in any
 * order. Every field that the writer has must be there. It is linked to its fields after
 * it was made, because a field may hold the class itself.
 */
final class JsonStruct extends JsonType {

	private final ServiceClass type;

	/** What is written, in the writer's order. */
	private List<TypeLinker.Part<JsonType>> fields = List.of();

	/** What is read: the index of each field in {@link #fields} by name. */
	private final Map<String, Integer> order = new HashMap<>();

	JsonStruct(ServiceClass type) {
		super(type.javaType());
		this.type = type;
	}

	void link(List<TypeLinker.Part<JsonType>> parts) {
		this.fields = List.copyOf(parts);
		for (int i = 0; i < parts.size(); i++) {
			this.order.put(parts.get(i).written().name(), i);
		}
	}

	@Override
	void write(JsonGenerator out, Object value) {
		if (value.getClass() != javaType()) {
			throw new JsonFailure(
					"%s where %s is declared (expected: exactly the declared class, or fields would be lost)"
						.formatted(value.getClass().getName(), javaType().getName()));
		}
		out.writeStartObject();
		writeFields(out, value);
		out.writeEndObject();
	}

	void writeFields(JsonGenerator out, Object instance) {
		for (TypeLinker.Part<JsonType> each : this.fields) {
			out.writeName(each.written().name());
			each.type().writeNullable(out, this.type.get(instance, each.index()));
		}
	}

	@Override
	Object read(JsonInput in) {
		require(in, JsonToken.START_OBJECT);
		return readFields(in);
	}

	/** Read properties up to the end of the object. */
	Object readFields(JsonInput in) {
		@Nullable Object[] values = this.type.begin(in.budget());
		boolean[] present = new boolean[values.length];
		boolean[] seen = new boolean[this.fields.size()];
		int count = 0;
		while (in.nextToken() == JsonToken.PROPERTY_NAME) {
			int index = require(in.currentName(), seen);
			count++;
			in.nextToken();
			TypeLinker.Part<JsonType> field = this.fields.get(index);
			Object value = field.type().readNullable(in);
			if (field.index() >= 0) {
				values[field.index()] = value;
				present[field.index()] = true;
			}
		}
		if (count < seen.length) {
			throw new JsonFailure(
					"%d of %d fields of %s (expected: all)".formatted(count, seen.length, javaType().getName()));
		}
		return this.type.create(values, present);
	}

	private int require(String name, boolean[] seen) {
		Integer index = this.order.get(name);
		if (index == null || seen[index]) {
			throw new JsonFailure((index == null) ? "'%s' is not a field of %s".formatted(name, javaType().getName())
					: "a field twice");
		}
		seen[index] = true;
		return index;
	}

}
