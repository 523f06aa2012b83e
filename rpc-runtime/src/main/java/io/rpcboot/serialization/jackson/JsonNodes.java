package io.rpcboot.serialization.jackson;

import java.lang.reflect.Array;
import java.util.List;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.types.ChoiceNode;
import io.rpcboot.serialization.types.EnumNode;
import io.rpcboot.serialization.types.Format;
import io.rpcboot.serialization.types.MethodNode;
import io.rpcboot.serialization.types.Node;
import io.rpcboot.serialization.types.Node.ArrayNode;
import io.rpcboot.serialization.types.Node.CollectionNode;
import io.rpcboot.serialization.types.Node.HolderNode;
import io.rpcboot.serialization.types.Node.MapNode;
import io.rpcboot.serialization.types.Node.ValueNode;
import io.rpcboot.serialization.types.Numbers;
import io.rpcboot.serialization.types.StructNode;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Gives each node of one graph its form in JSON.
 */
final class JsonNodes extends Format<JsonType> {

	private final JsonFormat format;

	JsonNodes(JsonFormat format) {
		this.format = format;
	}

	@Override
	protected MethodCodec codec(MethodNode method) {
		List<JsonType> parameters = method.parameters().stream().map((each) -> type(each.type())).toList();
		JsonType result = (method.result() != null) ? type(method.result().type()) : null;
		return new JsonMethodCodec(this.format, method, parameters, result, JsonChoice.of(method, this::type));
	}

	@Override
	protected JsonType create(Node node) {
		if (node instanceof ValueNode value) {
			return value(value);
		}
		if (node instanceof StructNode struct) {
			return later(new JsonStruct(struct), (type) -> type.link(this::type));
		}
		if (node instanceof CollectionNode collection) {
			return new JsonCollection(collection, type(collection.element()), collection.sizes(0));
		}
		if (node instanceof MapNode map) {
			return new JsonMap(map, type(map.key()), type(map.value()));
		}
		if (node instanceof EnumNode constants) {
			return JsonForm.of(constants);
		}
		if (node instanceof ChoiceNode choice) {
			return later(JsonChoice.of(choice), (type) -> type.link(choice, this::type));
		}
		if (node instanceof HolderNode holder) {
			return new JsonHolder(holder.kind(), type(holder.held()));
		}
		return (node instanceof ArrayNode array) ? new JsonArray(array, type(array.element())) : new JsonSkip();
	}

	private static JsonType value(ValueNode node) {
		Class<?> type = node.javaType();
		Class<?> box = Numbers.box(type);
		Class<?> written = Numbers.box(node.written());
		JsonType boxed = (written == Float.class && box == Double.class) ? JsonValues.WIDENED : JsonValues.of(box);
		if (!type.isPrimitive()) {
			return boxed;
		}
		boolean isBoxed = node.written().name().equals(written.getName());
		return ((JsonValue<?>) boxed).primitive(type, isBoxed ? Array.get(Array.newInstance(type, 1), 0) : null);
	}

	/** What only the writer has. */
	private record JsonSkip() implements JsonType {

		@Override
		public Class<?> javaType() {
			return Void.class;
		}

		@Override
		public void write(JsonGenerator out, Object value) {
			throw new IllegalStateException("nothing writes what only another writer has");
		}

		@Override
		public @Nullable Object read(JsonInput in) {
			in.skipChildren();
			return null;
		}

	}

}
