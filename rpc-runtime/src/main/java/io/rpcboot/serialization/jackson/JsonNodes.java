package io.rpcboot.serialization.jackson;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.types.EnumNode;
import io.rpcboot.serialization.types.GraphCodec;
import io.rpcboot.serialization.types.MethodNode;
import io.rpcboot.serialization.types.MethodNode.Thrown;
import io.rpcboot.serialization.types.Node;
import io.rpcboot.serialization.types.Node.ArrayNode;
import io.rpcboot.serialization.types.Node.ChoiceNode;
import io.rpcboot.serialization.types.Node.CollectionNode;
import io.rpcboot.serialization.types.Node.HolderNode;
import io.rpcboot.serialization.types.Node.MapNode;
import io.rpcboot.serialization.types.Node.ValueNode;
import io.rpcboot.serialization.types.Numbers;
import io.rpcboot.serialization.types.StructNode;

import org.jspecify.annotations.Nullable;

/**
 * Gives each node of one graph its form in JSON, which is linked to what it holds after
 * it was made. For one thread at a time.
 */
final class JsonNodes implements GraphCodec.Format {

	private final JsonFormat format;

	private final Map<Node, JsonType> types = new IdentityHashMap<>();

	private final Queue<Runnable> links = new ArrayDeque<>();

	JsonNodes(JsonFormat format) {
		this.format = format;
	}

	@Override
	public MethodCodec compile(MethodNode method) {
		List<JsonType> parameters = method.parameters().stream().map((each) -> type(each.type())).toList();
		JsonType result = (method.result() != null) ? type(method.result().type()) : null;
		List<@Nullable JsonStruct> exceptions = new ArrayList<>();
		for (Thrown each : method.exceptions()) {
			exceptions.add((each.type() != null) ? (JsonStruct) type(each.type()) : null);
		}
		for (Runnable link = this.links.poll(); link != null; link = this.links.poll()) {
			link.run();
		}
		return new JsonMethodCodec(this.format, method, parameters, result,
				new JsonExceptions(method.exceptions(), exceptions));
	}

	private JsonType type(Node node) {
		JsonType known = this.types.get(node);
		if (known == null) {
			known = create(node);
			this.types.put(node, known);
		}
		return known;
	}

	private JsonType create(Node node) {
		if (node instanceof ValueNode value) {
			return value(value);
		}
		if (node instanceof StructNode struct) {
			JsonStruct type = new JsonStruct(struct);
			this.links.add(() -> type.link(this::type));
			return type;
		}
		if (node instanceof CollectionNode collection) {
			return new JsonCollection(collection, type(collection.element()));
		}
		if (node instanceof MapNode map) {
			return new JsonMap(map, type(map.key()), type(map.value()));
		}
		if (node instanceof EnumNode constants) {
			return new JsonEnum(constants);
		}
		if (node instanceof ChoiceNode choice) {
			JsonSubtypes type = new JsonSubtypes(choice);
			this.links.add(() -> type.link(this::type));
			return type;
		}
		if (node instanceof HolderNode holder) {
			return new JsonHolder(holder.kind(), type(holder.held()));
		}
		return (node instanceof ArrayNode array) ? new JsonArray(array, type(array.element())) : JsonUnknown.INSTANCE;
	}

	private static JsonType value(ValueNode node) {
		Class<?> type = node.javaType();
		Class<?> box = Numbers.box(type);
		Class<?> written = Numbers.box(node.written());
		JsonType boxed = (written == Float.class && box == Double.class) ? JsonValues.widened() : JsonValues.of(box);
		if (!type.isPrimitive()) {
			return boxed;
		}
		boolean isBoxed = node.written().name().equals(written.getName());
		return new JsonPrimitive(type, boxed, isBoxed ? Array.get(Array.newInstance(type, 1), 0) : null);
	}

}
