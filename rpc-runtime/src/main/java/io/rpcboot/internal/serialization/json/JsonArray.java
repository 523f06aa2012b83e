package io.rpcboot.internal.serialization.json;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Array, also of primitives, and {@code AtomicReferenceArray}.
 */
record JsonArray(ArrayNode node, JsonType component) implements JsonType {

	/** Heap size of a list and the array, in bytes. */
	private static final int EMPTY = 96;

	/**
	 * Heap size of a reference in the growing list and of an element of the array, in
	 * bytes.
	 */
	private static final int ELEMENT = 26;

	@Override
	public void write(JsonOutput out, Object value) {
		Object array = this.node.elements(value);
		writeElements(out, this.component,
				IntStream.range(0, Array.getLength(array)).mapToObj((index) -> Array.get(array, index))::iterator);
	}

	/** Writes values of one type as an array. */
	static void writeElements(JsonOutput out, JsonType type, Iterable<? extends @Nullable Object> elements) {
		out.writeStartArray();
		int index = 0;
		try {
			for (Object each : elements) {
				type.writeNullable(out, each);
				index++;
			}
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at("[" + index + "]", ex);
		}
		out.writeEndArray();
	}

	@Override
	public Object read(JsonInput in) {
		in.require(JsonToken.START_ARRAY);
		List<@Nullable Object> elements = new ArrayList<>();
		in.budget().charge(EMPTY);
		try {
			while (in.nextToken() != JsonToken.END_ARRAY) {
				in.budget().charge(ELEMENT);
				elements.add(this.component.readNullable(in));
			}
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at("[" + elements.size() + "]", ex);
		}
		Object array = Array.newInstance(this.node.component(), elements.size());
		for (int i = 0; i < elements.size(); i++) {
			Array.set(array, i, elements.get(i));
		}
		if (this.node.isAtomic()) {
			in.budget().charge(2 * ReadBudget.OBJECT + (long) Integer.BYTES * elements.size());
			return this.node.of((@Nullable Object[]) array);
		}
		return array;
	}

}
