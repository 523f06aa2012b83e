package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.function.Supplier;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A collection of one element type. As the field of a message it is a repeated field, as
 * protostuff-runtime writes it; as an element of another collection it is a group with
 * the repeated field 1. What a repeated field cannot say is said by a marker, a varint
 * under the same number with the wire type of a reference, which nothing else uses here:
 * {@value #EMPTY} alone for an empty collection, {@value #NULL} for each null element. So
 * null, empty and null elements are kept apart, and a collection without nulls pays
 * nothing for it.
 */
final class CollectionType extends ValueType {

	private static final int EMPTY = 0;

	private static final int NULL = 1;

	private final Class<?> type;

	private final Supplier<Collection<@Nullable Object>> factory;

	private final ValueType element;

	/** Whether an ArrayList will do. */
	private final boolean isList;

	CollectionType(Class<?> type, Supplier<Collection<@Nullable Object>> factory, ValueType element) {
		super(WireFormat.WIRETYPE_START_GROUP);
		this.type = type;
		this.factory = factory;
		this.element = element;
		this.isList = type.isAssignableFrom(ArrayList.class);
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		Groups.start(out, number);
		if (!((Collection<?>) value).isEmpty()) {
			writeField(out, 1, value);
		}
		Groups.end(out, number);
	}

	@Override
	Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		Object value = takeField(in, 1);
		Groups.leave(in, end);
		return (value != null) ? value : this.factory.get();
	}

	@Override
	void writeField(ProtostuffOutput out, int number, Object value) {
		requireNaturalOrder(value);
		Collection<?> elements = (Collection<?>) value;
		if (elements.isEmpty()) {
			NumberOutput.writeMarker(out, number, EMPTY);
			return;
		}
		int index = 0;
		try {
			if (elements instanceof ArrayList<?> list) {
				for (; index < list.size(); index++) {
					writeElement(out, number, list.get(index));
					index += this.element.writeRun(out, number, list, index + 1);
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

	private void writeElement(ProtostuffOutput out, int number, @Nullable Object value) {
		if (value == null) {
			NumberOutput.writeMarker(out, number, NULL);
			return;
		}
		this.element.write(out, number, value);
	}

	private void requireNaturalOrder(Object value) {
		if (value instanceof SortedSet<?> sorted && SortedSet.class.isAssignableFrom(this.type)) {
			requireNaturalOrder(sorted.comparator());
		}
	}

	static void requireNaturalOrder(@Nullable Comparator<?> comparator) {
		if (comparator != null) {
			throw new PathException("sorted by %s (expected: the natural order, which alone can be carried)"
				.formatted(comparator.getClass().getName()));
		}
	}

	@Override
	@Nullable Object takeField(ProtostuffInput in, int number) {
		int elementTag = WireFormat.makeTag(number, this.element.wireType());
		int markerTag = WireFormat.makeTag(number, WireFormat.WIRETYPE_REFERENCE);
		Collection<@Nullable Object> elements = this.isList ? this.element.readRun(in, elementTag) : null;
		boolean marker = !in.tryTag(elementTag);
		if (marker && !in.tryTag(markerTag)) {
			return elements;
		}
		if (elements == null) {
			elements = this.factory.get();
		}
		int index = elements.size();
		try {
			do {
				if (!marker) {
					elements.add(this.element.read(in));
				}
				else if (readMarker(in, index) == EMPTY) {
					return elements;
				}
				else {
					elements.add(null);
				}
				index++;
				marker = !in.tryTag(elementTag);
			}
			while (!marker || in.tryTag(markerTag));
			return elements;
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
	}

	private static int readMarker(ProtostuffInput in, int index) {
		int marker = in.readUInt32();
		if (marker != NULL && (marker != EMPTY || index > 0)) {
			throw new PathException(
					"marker %d (expected: %d for a null element, or %d alone)".formatted(marker, NULL, EMPTY));
		}
		return marker;
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.type.getName(), this.element.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new CollectionType(this.type, this.factory,
				this.element.translate(translator.argument(written, 0), translator));
	}

}
