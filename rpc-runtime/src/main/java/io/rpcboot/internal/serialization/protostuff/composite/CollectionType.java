package io.rpcboot.internal.serialization.protostuff.composite;

import java.util.ArrayList;
import java.util.Collection;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.scalar.NumberRun;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.Node.CollectionNode;
import io.rpcboot.internal.serialization.types.kind.CollectionKind;
import io.rpcboot.internal.serialization.types.kind.IterableElements;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.internal.serialization.types.value.Sizes;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Collection of one element type. As the field of a message it is a repeated field, as in
 * protostuff-runtime. As an element of another collection it is a group with the repeated
 * field 1. States that a repeated field cannot express are markers: a varint with the
 * number of the field and the wire type of a reference, which nothing else uses.
 * {@value #EMPTY} alone is an empty collection, {@value #NULL} a null element,
 * {@value #REVERSED} in front is the reverse of the natural order, and
 * {@value #IGNORING_CASE} and {@value #LOWER_CASE} are orders of texts that are found in
 * any case. Another collection without nulls has no marker.
 */
public final class CollectionType extends ValueType {

	private static final int EMPTY = 0;

	private static final int NULL = 1;

	static final int REVERSED = 2;

	private static final int IGNORING_CASE = 3;

	static final int LOWER_CASE = 4;

	private final CollectionNode node;

	private final CollectionKind kind;

	private final ValueType element;

	private final boolean isPlain;

	/** True if a value is written without a check. */
	private final boolean isUnseen;

	/** True if the collection that is filled is also the result. */
	private final boolean isKept;

	/** Class of numbers that are written and read in runs; null for other elements. */
	private final @Nullable Class<?> run;

	/** True if the declared type accepts an {@code ArrayList}. */
	private final boolean isList;

	private final Sizes sizes;

	public CollectionType(CollectionNode node, ValueType element) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.node = node;
		this.kind = node.kind();
		this.element = element;
		this.run = NumberRun.of(element);
		this.isPlain = this.kind.isPlain();
		this.isUnseen = this.isPlain && !this.kind.isDistinct();
		this.isKept = this.kind.isKept();
		this.isList = this.isKept && node.javaType().isAssignableFrom(ArrayList.class);
		this.sizes = node.sizes().plus(element.weight());
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		out.startGroup(number);
		Collection<?> elements = IterableElements.of(value);
		if (!this.isPlain || !elements.isEmpty()) {
			writeField(out, 1, elements);
		}
		out.endGroup(number);
	}

	@Override
	public Object read(ProtostuffInput in) {
		int end = in.enterGroup();
		Object value = takeField(in, 1);
		in.leaveGroup(end);
		if (value != null) {
			return value;
		}
		in.charge(this.sizes.empty());
		return this.node.finish(this.node.begin(in, Order.PLAIN), 0, in, in.size());
	}

	@Override
	public void writeField(ProtostuffOutput out, int number, Object value) {
		Collection<?> elements = this.isUnseen ? IterableElements.of(value)
				: prepare(out, number, (Collection<?>) value);
		if (elements.isEmpty()) {
			out.writeMarker(number, EMPTY);
			return;
		}
		int index = 0;
		try {
			if (elements instanceof ArrayList<?> list) {
				for (; index < list.size(); index++) {
					writeElement(out, number, list.get(index));
					if (this.run != null) {
						index += NumberRun.write(out, number, list, index + 1, this.run);
					}
				}
				return;
			}
			for (Object each : elements) {
				writeElement(out, number, each);
				index++;
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
	}

	private Collection<?> prepare(ProtostuffOutput out, int number, Collection<?> value) {
		Order order = this.kind.order(value);
		if (order != Order.PLAIN) {
			out.writeMarker(number, markerOf(order));
		}
		return order.ignoresCase() ? value : this.kind.prepare(value);
	}

	/** Returns the marker that announces an order other than the plain one. */
	static int markerOf(Order order) {
		return REVERSED + order.ordinal() - Order.REVERSED.ordinal();
	}

	/** Returns the order that a marker announces, the plain one if it announces none. */
	static Order orderOf(int marker) {
		return switch (marker) {
			case REVERSED -> Order.REVERSED;
			case IGNORING_CASE -> Order.IGNORING_CASE;
			case LOWER_CASE -> Order.LOWER_CASE;
			default -> Order.PLAIN;
		};
	}

	private void writeElement(ProtostuffOutput out, int number, @Nullable Object value) {
		if (value == null) {
			out.writeMarker(number, NULL);
			return;
		}
		this.element.write(out, number, value);
	}

	@Override
	public @Nullable Object takeField(ProtostuffInput in, int number) {
		int elementTag = WireFormat.makeTag(number, this.element.wireType());
		int markerTag = WireFormat.makeTag(number, WireFormat.WIRETYPE_REFERENCE);
		Collection<@Nullable Object> run = (this.run != null && this.isList) ? NumberRun.read(in, elementTag, this.run)
				: null;
		boolean hasElement = in.tryTag(elementTag);
		if (!hasElement && !in.tryTag(markerTag)) {
			return run;
		}
		Order order = (hasElement || run != null) ? Order.PLAIN : orderOf(nextMarker(in));
		if (order == Order.PLAIN) {
			return readElements(in, elementTag, markerTag, (run != null) ? run : this.node.begin(in, order),
					!hasElement, this.sizes.element());
		}
		in.readUInt32();
		boolean marker = !in.tryTag(elementTag);
		if (marker && !in.tryTag(markerTag)) {
			throw new PathException(
					"nothing behind the marker for reverse order or any case (expected: elements, or %d for none)"
						.formatted(EMPTY));
		}
		return readElements(in, elementTag, markerTag, this.node.begin(in, order), marker,
				this.sizes.element() + order.weight());
	}

	private static int nextMarker(ProtostuffInput in) {
		return (in.position < in.limit) ? in.array[in.position] : NULL;
	}

	/** Reads the elements. The first tag was read; it may be the tag of a marker. */
	private Object readElements(ProtostuffInput in, int elementTag, int markerTag,
			Collection<@Nullable Object> elements, boolean startsWithMarker, int weight) {
		long start = in.size();
		in.charge(this.sizes.first());
		boolean marker = startsWithMarker;
		int index = elements.size();
		try {
			do {
				in.charge(weight);
				if (marker && readMarker(in, index) == EMPTY) {
					break;
				}
				Object value = marker ? null : this.element.read(in);
				if (value == null) {
					this.kind.requireHoldsNull();
				}
				elements.add(value);
				index++;
				marker = !in.tryTag(elementTag);
			}
			while (!marker || in.tryTag(markerTag));
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
		return this.isKept ? elements : this.node.finish(elements, index, in, start);
	}

	private static int readMarker(ProtostuffInput in, int index) {
		int marker = in.readUInt32();
		if (marker != NULL && (marker != EMPTY || index > 0)) {
			throw new PathException(
					"marker %d (expected: %d for a null element, or %d alone)".formatted(marker, NULL, EMPTY));
		}
		return marker;
	}

}
