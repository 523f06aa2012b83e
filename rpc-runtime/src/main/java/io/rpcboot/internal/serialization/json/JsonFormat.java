package io.rpcboot.internal.serialization.json;

import java.math.BigDecimal;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.graph.Node.DelegateNode;
import io.rpcboot.internal.serialization.types.graph.Node.HolderNode;
import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * Creates the types and codecs of one graph in JSON. For one thread at a time.
 */
public final class JsonFormat extends Format<JsonType> {

	/** Values of several parts in the default format, which are a level of nesting. */
	private static final Set<Class<?>> OF_PARTS = Set.of(BigDecimal.class, Period.class, ZonedDateTime.class,
			OffsetDateTime.class, OffsetTime.class, InetAddress.class, Inet4Address.class, Inet6Address.class,
			AtomicIntegerArray.class, AtomicLongArray.class);

	private final JsonStreams streams;

	public JsonFormat(JsonStreams streams) {
		this.streams = streams;
	}

	@Override
	protected MethodCodec codec(MethodNode method) {
		List<JsonType> parameters = method.parameters().stream().map((each) -> type(each.type())).toList();
		JsonType result = (method.result() != null) ? type(method.result().type()) : null;
		return new JsonMethodCodec(this.streams, method, parameters, result, JsonChoice.of(method, this::type));
	}

	@Override
	protected JsonType create(Node node) {
		if (node instanceof ValueNode value) {
			return value(value);
		}
		if (node instanceof StructNode struct) {
			return new JsonLevel(later(new JsonStruct(struct), (type) -> type.link(this::type)));
		}
		if (node instanceof CollectionNode collection) {
			return new JsonCollection(collection, element(collection.element()));
		}
		if (node instanceof MapNode map) {
			return new JsonLevel(new JsonMap(map, type(map.key()), type(map.value())));
		}
		if (node instanceof EnumNode constants) {
			return JsonSurrogate.of(constants);
		}
		if (node instanceof ChoiceNode choice) {
			return new JsonLevel(later(JsonChoice.of(choice), (type) -> type.link(choice, this::type)));
		}
		if (node instanceof DelegateNode delegate) {
			return new JsonSurrogate(delegate.conversion(), type(delegate.surrogate()), JsonSurrogate.SIZE);
		}
		if (node instanceof HolderNode holder) {
			return new JsonLevel(new JsonHolder(holder.kind(), type(holder.held())));
		}
		return (node instanceof ArrayNode array) ? new JsonLevel(new JsonArray(array, element(array.element())))
				: new JsonSkip();
	}

	/**
	 * Returns the type of an element. A collection within a collection or an array is a
	 * level of nesting.
	 */
	private JsonType element(Node node) {
		return (node instanceof CollectionNode) ? new JsonLevel(type(node)) : type(node);
	}

	private static JsonType value(ValueNode node) {
		Class<?> type = node.javaType();
		Class<?> box = Numbers.box(type);
		Class<?> written = Numbers.box(node.written());
		JsonType boxed = (written == Float.class && box == Double.class) ? JsonValues.WIDENED : JsonValues.of(box);
		if (type.isPrimitive()) {
			return ((JsonValue<?>) boxed).primitive(type);
		}
		return OF_PARTS.contains(type) ? new JsonLevel(boxed) : boxed;
	}

	/** Value that only the writer has. It is skipped. */
	private record JsonSkip() implements JsonType {

		@Override
		public void write(JsonOutput out, Object value) {
			throw new IllegalStateException("nothing writes what only another writer has");
		}

		@Override
		public @Nullable Object read(JsonInput in) {
			in.skipChildren();
			return null;
		}

	}

}
