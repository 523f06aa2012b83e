package io.rpcboot.serialization.jackson;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.PriorityBlockingQueue;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A collection: an array. A sorted one in reversed order is an object with the one
 * property {@value JsonOrder#REVERSED}.
 */
final class JsonCollection extends JsonType {

	private final JsonContainers.OfCollection kind;

	private final JsonType element;

	JsonCollection(JsonContainers.OfCollection kind, JsonType element) {
		super(kind.type());
		this.kind = kind;
		this.element = element;
	}

	@Override
	void write(JsonGenerator out, Object value) {
		if (!javaType().isInstance(value)) {
			throw new JsonFailure("%s (expected: %s)".formatted(value.getClass().getName(), javaType().getName()));
		}
		boolean reversed = this.kind.sorted() && JsonOrder.isReversed(comparator(value));
		if (reversed) {
			out.writeStartObject();
			out.writeName(JsonOrder.REVERSED);
		}
		out.writeStartArray();
		for (Object each : (Collection<?>) value) {
			this.element.writeNullable(out, each);
		}
		out.writeEndArray();
		if (reversed) {
			out.writeEndObject();
		}
	}

	private static @Nullable Comparator<?> comparator(Object value) {
		if (value instanceof SortedSet<?> set) {
			return set.comparator();
		}
		if (value instanceof PriorityQueue<?> queue) {
			return queue.comparator();
		}
		return (value instanceof PriorityBlockingQueue<?> queue) ? queue.comparator() : null;
	}

	@Override
	Object read(JsonParser in) {
		boolean reversed = this.kind.sorted() && in.currentToken() == JsonToken.START_OBJECT;
		if (reversed) {
			in.nextToken();
			require(in, JsonToken.PROPERTY_NAME);
			if (!in.currentName().equals(JsonOrder.REVERSED)) {
				throw new JsonFailure(
						"a property '%s' (expected: '%s')".formatted(in.currentName(), JsonOrder.REVERSED));
			}
			in.nextToken();
		}
		Collection<@Nullable Object> collection = readElements(in, reversed);
		if (reversed) {
			in.nextToken();
			require(in, JsonToken.END_OBJECT);
		}
		return collection;
	}

	private Collection<@Nullable Object> readElements(JsonParser in, boolean reversed) {
		require(in, JsonToken.START_ARRAY);
		Collection<@Nullable Object> collection = this.kind.create(this.element.javaType(), reversed);
		while (in.nextToken() != JsonToken.END_ARRAY) {
			Object each = this.element.readNullable(in);
			if (!collection.add(each) && !(collection instanceof List)) {
				throw new JsonFailure(
						(collection instanceof Set) ? "%s twice".formatted(each) : "one element too many");
			}
		}
		return collection;
	}

}
