package io.rpcboot.internal.serialization.protobuf.composite;

import java.util.Collection;

import io.rpcboot.internal.serialization.protobuf.scalar.SingularType;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.kind.CollectionKind;
import io.rpcboot.internal.serialization.types.kind.IterableElements;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.internal.serialization.types.value.Sizes;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Collection. The reverse of the natural order is refused, because a repeated field
 * cannot announce it.
 */
public final class CollectionType extends RepeatedType {

	private final CollectionNode node;

	private final CollectionKind kind;

	/** True if a value is written without a check. */
	private final boolean isUnseen;

	/** True if the collection that is filled is also the result. */
	private final boolean isKept;

	private final Sizes sizes;

	public CollectionType(CollectionNode node, SingularType element) {
		super(element);
		this.node = node;
		this.kind = node.kind();
		this.isUnseen = this.kind.isPlain() && !this.kind.isDistinct();
		this.isKept = this.kind.isKept();
		this.sizes = node.sizes().plus(element.weight());
	}

	@Override
	public void writeField(ProtobufOutput out, int number, @Nullable Object value) {
		if (value == null) {
			return;
		}
		Collection<?> elements = (value instanceof Collection<?> collection) ? collection
				: out.once(value, IterableElements::of);
		if (!this.isUnseen) {
			requireOrder(this.kind.isReversed(value));
			elements = this.kind.prepare(elements);
		}
		writeElements(out, number, elements);
	}

	static void requireOrder(boolean isReversed) {
		if (isReversed) {
			throw new PathException(
					"in the reverse of the natural order (expected: the natural order, because protobuf has no order); declare List, Set or Map, which keep the order of the elements");
		}
	}

	@Override
	public Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		if (this.isKept) {
			Collection<@Nullable Object> elements = (before != null) ? cast(before) : begin(in);
			readElements(in, tag, elements, elements.size(), this.sizes.element());
			return elements;
		}
		Filling<Collection<@Nullable Object>> filling = (before != null) ? Filling.of(before)
				: new Filling<>(begin(in), in);
		if (before != null && this.node.isChecked()) {
			in.beginHashed();
		}
		long start = in.size();
		filling.count = readElements(in, tag, filling.container, filling.count, this.sizes.element());
		filling.size += in.size() - start;
		if (this.node.isChecked()) {
			in.endHashed();
		}
		return filling;
	}

	private Collection<@Nullable Object> begin(ProtobufInput in) {
		in.charge(this.sizes.first());
		return this.node.begin(in, Order.PLAIN);
	}

	@Override
	public Object finish(ProtobufInput in, @Nullable Object state) {
		if (state != null && this.isKept) {
			return state;
		}
		if (state == null) {
			in.charge(this.sizes.empty());
			return this.node.finish(this.node.begin(in, Order.PLAIN), 0, in, in.size());
		}
		Filling<Collection<@Nullable Object>> filling = Filling.of(state);
		if (this.node.isChecked()) {
			in.beginHashed();
		}
		return this.node.finish(filling.container, filling.count, in, in.size() - filling.size);
	}

	@Override
	void requireHoldsNull() {
		this.kind.requireHoldsNull();
	}

}
