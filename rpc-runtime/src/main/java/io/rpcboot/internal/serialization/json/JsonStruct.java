package io.rpcboot.internal.serialization.json;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.kind.Creator;
import io.rpcboot.internal.serialization.types.kind.StructClass;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Bean, record or exception: an object with a property for each field, in any order.
 * Every field of the writer must be present. Linked to its fields after it was created,
 * because a field may hold the class itself.
 */
final class JsonStruct implements JsonType {

	private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

	/** Number of arrays that are created for an instance: values, flags and arguments. */
	private static final int ARRAYS = 3;

	private static final int PER_FIELD = 8;

	private final StructNode node;

	private final StructClass type;

	/** Fields by the writer's names, in its order. */
	private final Map<String, Field> fields = new LinkedHashMap<>();

	/** True for each own field that the writer has, by index. */
	private final boolean[] present;

	/** Creator for the fields of the writer. */
	private @Nullable Creator creator;

	JsonStruct(StructNode node) {
		this.node = node;
		this.type = node.type();
		this.present = new boolean[this.type.fields().size()];
	}

	void link(Function<Node, JsonType> types) {
		for (Part each : this.node.parts()) {
			StructField own = each.field();
			if (own != null) {
				this.present[own.index()] = true;
			}
			this.fields.put(each.written().name(),
					new Field(this.fields.size(), (own != null) ? own.index() : -1,
							(own != null) ? own.getter().asType(GETTER) : null, types.apply(each.type()),
							each.type() instanceof ValueNode value && value.isUnboxed()));
		}
		this.creator = this.type.creator(this.present);
	}

	@Override
	public void write(JsonOutput out, Object value) {
		Object exact = this.type.exact(value);
		out.writeStartObject();
		writeChosen(out, exact);
		out.writeEndObject();
	}

	@Override
	public void writeChosen(JsonOutput out, Object instance) {
		for (Map.Entry<String, Field> each : this.fields.entrySet()) {
			out.writeName(each.getKey());
			try {
				each.getValue().type.writeNullable(out, each.getValue().get(instance));
			}
			catch (RuntimeException ex) {
				throw JsonStreams.at("." + each.getKey(), ex);
			}
		}
	}

	@Override
	public Object read(JsonInput in) {
		in.require(JsonToken.START_OBJECT);
		return readChosen(in);
	}

	@Override
	public Object readChosen(JsonInput in) {
		@Nullable Object[] values = this.type.values();
		in.budget().charge(this.type.size() + ARRAYS * ReadBudget.OBJECT + (long) PER_FIELD * values.length);
		boolean[] seen = new boolean[this.fields.size()];
		int count = 0;
		while (in.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = in.currentName();
			Field field = find(name, seen);
			count++;
			try {
				in.nextToken();
				if (field.isUnboxed && in.currentToken() == JsonToken.VALUE_NULL) {
					continue;
				}
				Object value = field.type.readNullable(in);
				if (field.index >= 0) {
					values[field.index] = value;
				}
			}
			catch (RuntimeException ex) {
				throw JsonStreams.at("." + name, ex);
			}
		}
		if (count < seen.length) {
			throw new PathException("%d of %d fields of %s (expected: all)".formatted(count, seen.length,
					this.node.javaType().getName()));
		}
		return this.type.create(Objects.requireNonNull(this.creator), values, this.present);
	}

	private Field find(String name, boolean[] seen) {
		Field field = this.fields.get(name);
		if (field == null || seen[field.place]) {
			throw new PathException((field == null)
					? "'%s' is not a field of %s".formatted(name, this.node.javaType().getName()) : "a field twice");
		}
		seen[field.place] = true;
		return field;
	}

	/**
	 * Field of the writer.
	 *
	 * @param place index among the fields of the writer
	 * @param index index of the own field, or -1
	 * @param getter handle {@code (Object)Object}; null if only the writer has the field
	 * @param type type of the value
	 * @param isUnboxed true if null is read as zero
	 */
	private record Field(int place, int index, @Nullable MethodHandle getter, JsonType type, boolean isUnboxed) {

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
