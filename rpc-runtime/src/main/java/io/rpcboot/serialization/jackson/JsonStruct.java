package io.rpcboot.serialization.jackson;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.rpcboot.serialization.types.Node;
import io.rpcboot.serialization.types.PathException;
import io.rpcboot.serialization.types.ReadBudget;
import io.rpcboot.serialization.types.StructClass;
import io.rpcboot.serialization.types.StructField;
import io.rpcboot.serialization.types.StructNode;
import io.rpcboot.serialization.types.StructNode.Part;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * A bean, a record or an exception: an object with a property for each field, in any
 * order. Every field that the writer has must be there. It is linked to its fields after
 * it was made, because a field may hold the class itself.
 */
final class JsonStruct extends JsonType {

	private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

	/** The values of the fields, and what says which of them are there. */
	private static final int BESIDES = 3;

	private static final int PER_FIELD = 8;

	private final StructNode node;

	private final StructClass type;

	private final List<Field> fields = new ArrayList<>();

	/** The index of each field by the writer's name. */
	private final Map<String, Integer> order = new HashMap<>();

	JsonStruct(StructNode node) {
		super(node.javaType());
		this.node = node;
		this.type = node.type();
	}

	void link(Function<Node, JsonType> types) {
		for (Part each : this.node.parts()) {
			String name = each.written().name();
			StructField own = each.field();
			this.order.put(name, this.fields.size());
			this.fields.add(new Field(name, (own != null) ? own.index() : -1,
					(own != null) ? own.getter().asType(GETTER) : null, types.apply(each.type())));
		}
	}

	@Override
	void write(JsonGenerator out, Object value) {
		this.type.requireExact(value);
		out.writeStartObject();
		writeChosen(out, value);
		out.writeEndObject();
	}

	@Override
	void writeChosen(JsonGenerator out, Object instance) {
		for (Field each : this.fields) {
			out.writeName(each.name);
			each.type.writeNullable(out, each.get(instance));
		}
	}

	@Override
	Object read(JsonInput in) {
		in.require(JsonToken.START_OBJECT);
		return readChosen(in);
	}

	@Override
	Object readChosen(JsonInput in) {
		@Nullable Object[] values = this.type.values();
		in.budget().charge(this.type.size() + BESIDES * ReadBudget.OBJECT + (long) PER_FIELD * values.length);
		boolean[] present = new boolean[values.length];
		boolean[] seen = new boolean[this.fields.size()];
		int count = 0;
		while (in.nextToken() == JsonToken.PROPERTY_NAME) {
			int index = require(in.currentName(), seen);
			count++;
			in.nextToken();
			Field field = this.fields.get(index);
			Object value = field.type.readNullable(in);
			if (field.index >= 0) {
				values[field.index] = value;
				present[field.index] = true;
			}
		}
		if (count < seen.length) {
			throw new PathException(
					"%d of %d fields of %s (expected: all)".formatted(count, seen.length, javaType().getName()));
		}
		return this.type.create(values, present);
	}

	private int require(String name, boolean[] seen) {
		Integer index = this.order.get(name);
		if (index == null || seen[index]) {
			throw new PathException((index == null) ? "'%s' is not a field of %s".formatted(name, javaType().getName())
					: "a field twice");
		}
		seen[index] = true;
		return index;
	}

	/**
	 * A field that the writer has.
	 *
	 * @param name at the writer
	 * @param index of the own field, or -1
	 * @param getter of type {@code (Object)Object}; null if only the writer has the field
	 * @param type of the value
	 */
	private record Field(String name, int index, @Nullable MethodHandle getter, JsonType type) {

		@Nullable Object get(Object instance) {
			try {
				return (Object) Objects.requireNonNull(this.getter).invokeExact(instance);
			}
			catch (Throwable ex) {
				throw PathException.of(ex);
			}
		}

	}

}
