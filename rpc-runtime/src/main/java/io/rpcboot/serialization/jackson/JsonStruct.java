package io.rpcboot.serialization.jackson;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.protostuff.ServiceClass;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A bean, a record or an exception: an object with a property for each field, in any
 * order. Every field that the writer has must be there. It is linked to its fields after
 * it was made, because a field may hold the class itself.
 */
final class JsonStruct extends JsonType {

	private final ServiceClass type;

	private final List<JsonType> fields = new ArrayList<>();

	private final Map<String, Property> properties = new HashMap<>();

	JsonStruct(ServiceClass type) {
		super(type.javaType());
		this.type = type;
	}

	/** Add the next field, in the order of the own contract. */
	void add(JsonType field) {
		this.fields.add(field);
	}

	/** Add a property that the writer has. */
	void add(String name, Property property) {
		this.properties.put(name, property);
	}

	/** How many properties the writer has so far. */
	int count() {
		return this.properties.size();
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
		for (int i = 0; i < this.fields.size(); i++) {
			out.writeName(this.type.members().get(i).name());
			this.fields.get(i).writeNullable(out, this.type.get(instance, i));
		}
	}

	@Override
	Object read(JsonParser in) {
		require(in, JsonToken.START_OBJECT);
		return readFields(in);
	}

	/** Read properties up to the end of the object. */
	Object readFields(JsonParser in) {
		@Nullable Object[] values = new @Nullable Object[this.type.members().size()];
		boolean[] present = new boolean[values.length];
		boolean[] seen = new boolean[this.properties.size()];
		int count = 0;
		while (in.nextToken() == JsonToken.PROPERTY_NAME) {
			Property property = this.properties.get(in.currentName());
			in.nextToken();
			if (property == null || seen[property.order]) {
				throw new JsonFailure((property == null) ? "not a field of " + javaType().getName() : "twice");
			}
			seen[property.order] = true;
			count++;
			if (property.type == null) {
				in.skipChildren();
				continue;
			}
			values[property.index] = property.type.readNullable(in);
			present[property.index] = true;
		}
		if (count < seen.length) {
			throw new JsonFailure(
					"%d of %d fields of %s (expected: all)".formatted(count, seen.length, javaType().getName()));
		}
		return this.type.create(values, present);
	}

	/**
	 * A property as a writer has it.
	 *
	 * @param order among the writer's
	 * @param index of the own field, ignored without a type
	 * @param type null for a field that only the writer has
	 */
	record Property(int order, int index, @Nullable JsonType type) {
	}

}
