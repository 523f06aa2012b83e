package io.rpcboot.serialization.jackson;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.serialization.types.Node.ArrayNode;
import io.rpcboot.serialization.types.ReadBudget;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * An array, of primitives as well, and an {@code AtomicReferenceArray}.
 */
record JsonArray(ArrayNode node, JsonType component) implements JsonType {

	/** A list and the array. */
	private static final int EMPTY = 96;

	/** A reference in the list, which grows, and an element of the array. */
	private static final int ELEMENT = 26;

	@Override
	public void write(JsonOutput out, Object value) {
		Object array = this.node.elements(value);
		int length = Array.getLength(array);
		out.writeStartArray();
		int index = 0;
		try {
			for (; index < length; index++) {
				this.component.writeNullable(out, Array.get(array, index));
			}
		}
		catch (RuntimeException ex) {
			throw JsonFormat.at("[" + index + "]", ex);
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
			throw JsonFormat.at("[" + elements.size() + "]", ex);
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
