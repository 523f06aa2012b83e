package io.rpcboot.internal.serialization.json;

import java.util.Collection;

import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.kind.IterableElements;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Collection, written as an array. A sorted one in reversed order is an object with one
 * property, {@value #REVERSED}.
 */
record JsonCollection(CollectionNode node, JsonType element) implements JsonType {

	static final String REVERSED = "reversed";

	/** Heap size of the gatherer of the elements, in bytes. */
	private static final int EMPTY = 64;

	@Override
	public void write(JsonOutput out, Object value) {
		JsonType.requireInstance(value,
				(this.node.javaType() == Collection.class) ? Iterable.class : this.node.javaType());
		Collection<?> elements = IterableElements.of(value);
		boolean reversed = this.node.kind().isReversed(elements);
		if (reversed) {
			out.writeStartObject();
			out.writeName(REVERSED);
		}
		JsonArray.writeElements(out, this.element, this.node.kind().prepare(elements));
		if (reversed) {
			out.writeEndObject();
		}
	}

	@Override
	public Object read(JsonInput in) {
		boolean reversed = in.currentToken() == JsonToken.START_OBJECT;
		if (reversed) {
			in.nextProperty(REVERSED);
		}
		Object collection = readElements(in, reversed);
		if (reversed) {
			in.next(JsonToken.END_OBJECT);
		}
		return collection;
	}

	private Object readElements(JsonInput in, boolean reversed) {
		in.require(JsonToken.START_ARRAY);
		ReadBudget budget = in.budget();
		long start = budget.size();
		budget.charge(EMPTY + this.node.sizes().empty());
		Collection<@Nullable Object> filled = this.node.begin(budget, reversed ? Order.REVERSED : Order.PLAIN);
		int count = 0;
		try {
			while (in.nextToken() != JsonToken.END_ARRAY) {
				budget.charge(this.node.sizes().next(count));
				Object value = this.element.readNullable(in);
				if (value == null) {
					this.node.kind().requireHoldsNull();
				}
				filled.add(value);
				count++;
			}
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at("[" + count + "]", ex);
		}
		return this.node.finish(filled, count, budget, start);
	}

}
