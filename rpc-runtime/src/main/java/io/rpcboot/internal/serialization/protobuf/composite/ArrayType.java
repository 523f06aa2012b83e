package io.rpcboot.internal.serialization.protobuf.composite;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;

import io.rpcboot.internal.serialization.protobuf.scalar.SingularType;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import org.jspecify.annotations.Nullable;

/**
 * Array of objects, and {@code AtomicReferenceArray}.
 */
public final class ArrayType extends RepeatedType {

	/** Heap size of a list and the array, in bytes. */
	private static final int EMPTY = 96;

	/** Heap size of a reference in the growing list and in the array, in bytes. */
	private static final int ELEMENT = 26;

	private final ArrayNode node;

	public ArrayType(ArrayNode node, SingularType element) {
		super(element);
		this.node = node;
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object value) {
		if (value != null) {
			writeElements(out, number, Arrays.asList((@Nullable Object[]) this.node.elements(value)));
		}
	}

	@Override
	public Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		Collection<@Nullable Object> elements = (before != null) ? cast(before) : new ArrayList<>();
		if (before == null) {
			in.charge(EMPTY);
		}
		readElements(in, tag, elements, elements.size(), ELEMENT + element().weight());
		return elements;
	}

	@Override
	public Object finish(ProtobufInput in, @Nullable Object state) {
		int length = (state != null) ? cast(state).size() : 0;
		if (state == null || this.node.isAtomic()) {
			in.charge(3 * ReadBudget.OBJECT + (long) Integer.BYTES * length);
		}
		@Nullable Object[] array = (@Nullable Object[]) Array.newInstance(this.node.component(), length);
		return this.node.of((state != null) ? cast(state).toArray(array) : array);
	}

	@Override
	void requireHoldsNull() {
		// every array of objects holds null
	}

}
