package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Collection;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A collection of one element type. As the field of a message it is a repeated field, as
 * protostuff-runtime writes it; as an element of another collection it is a group with
 * the repeated field 1. What a repeated field cannot say is said by a marker, a varint
 * under the same number with the wire type of a reference, which nothing else uses here:
 * {@value #EMPTY} alone for an empty collection, {@value #NULL} for each null element,
 * {@value #REVERSED} before any of these for the reverse of the natural order. So null,
 * empty and null elements are kept apart, and a collection without nulls pays nothing for
 * it.
 */
final class CollectionType extends ValueType {

	private static final int EMPTY = 0;

	private static final int NULL = 1;

	static final int REVERSED = 2;

	private final CollectionKind kind;

	private final boolean isPlain;

	private final boolean isKept;

	private final ValueType element;

	/** Whether an ArrayList will do. */
	private final boolean isList;

	/** Whether elements are looked at before they get into a hash table. */
	private final boolean isChecked;

	private final Sizes sizes;

	CollectionType(CollectionKind kind, ValueType element) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.kind = kind;
		this.isPlain = kind.isPlain();
		this.isKept = kind.finisher() == null && !kind.isDistinct();
		this.element = element;
		this.isList = this.isKept && kind.type().isAssignableFrom(ArrayList.class);
		this.isChecked = KeyHashes.areChecked(kind.type(), element);
		this.sizes = Sizes.of(kind.type(), element.weight(), this.isChecked);
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		Groups.start(out, number);
		if (!this.isPlain || !((Collection<?>) value).isEmpty()) {
			writeField(out, 1, value);
		}
		Groups.end(out, number);
	}

	@Override
	Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		Object value = takeField(in, 1);
		Groups.leave(in, end);
		if (value != null) {
			return value;
		}
		Groups.charge(in, this.sizes.empty());
		return this.kind.finish(this.kind.factory().get(), 0);
	}

	@Override
	void writeField(ProtostuffOutput out, int number, Object value) {
		Collection<?> elements = this.isPlain ? (Collection<?>) value : prepare(out, number, (Collection<?>) value);
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

	private Collection<?> prepare(ProtostuffOutput out, int number, Collection<?> value) {
		if (this.kind.isReversed(value)) {
			NumberOutput.writeMarker(out, number, REVERSED);
		}
		return this.kind.prepare(value);
	}

	private void writeElement(ProtostuffOutput out, int number, @Nullable Object value) {
		if (value == null) {
			NumberOutput.writeMarker(out, number, NULL);
			return;
		}
		this.element.write(out, number, value);
	}

	@Override
	@Nullable Object takeField(ProtostuffInput in, int number) {
		int elementTag = WireFormat.makeTag(number, this.element.wireType());
		int markerTag = WireFormat.makeTag(number, WireFormat.WIRETYPE_REFERENCE);
		Collection<@Nullable Object> run = this.isList ? this.element.readRun(in, elementTag) : null;
		boolean hasElement = in.tryTag(elementTag);
		if (!hasElement && !in.tryTag(markerTag)) {
			return run;
		}
		if (hasElement || run != null || nextMarker(in) != REVERSED) {
			return readElements(in, elementTag, markerTag, (run != null) ? run : create(), !hasElement);
		}
		in.readUInt32();
		boolean marker = !in.tryTag(elementTag);
		if (marker && !in.tryTag(markerTag)) {
			throw new PathException("nothing behind the marker for reverse order (expected: elements, or %d for none)"
				.formatted(EMPTY));
		}
		Collection<@Nullable Object> elements = this.isChecked ? create() : this.kind.createReversed();
		return readElements(in, elementTag, markerTag, elements, marker);
	}

	private Collection<@Nullable Object> create() {
		return this.isChecked ? new ArrayList<>() : this.kind.factory().get();
	}

	private static int nextMarker(ProtostuffInput in) {
		return (in.position < in.limit) ? in.array[in.position] : NULL;
	}

	/** Read the elements, of which the first tag was read, be it that of a marker. */
	private Object readElements(ProtostuffInput in, int elementTag, int markerTag,
			Collection<@Nullable Object> elements, boolean startsWithMarker) {
		long start = in.position + in.compared;
		Groups.charge(in, this.sizes.first());
		boolean marker = startsWithMarker;
		int index = elements.size();
		try {
			do {
				Groups.charge(in, this.sizes.element());
				if (!marker) {
					elements.add(this.element.read(in));
				}
				else if (readMarker(in, index) == EMPTY) {
					break;
				}
				else {
					this.kind.requireHoldsNull();
					elements.add(null);
				}
				index++;
				marker = !in.tryTag(elementTag);
			}
			while (!marker || in.tryTag(markerTag));
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
		if (this.isKept) {
			return elements;
		}
		if (!this.isChecked) {
			return this.kind.finish(elements, index);
		}
		KeyHashes.compare(in, start, elements);
		Collection<@Nullable Object> set = this.kind.factory().get();
		set.addAll(elements);
		return this.kind.finish(set, index);
	}

	private static int readMarker(ProtostuffInput in, int index) {
		int marker = in.readUInt32();
		if (marker != NULL && (marker != EMPTY || index > 0)) {
			throw new PathException(
					"marker %d (expected: %d for a null element, or %d alone)".formatted(marker, NULL, EMPTY));
		}
		return marker;
	}

	/** The same for a serializer with another layout. */
	ServiceCollection forService() {
		return new ServiceCollection(this.kind, this.isChecked, Sizes.of(this.kind.type(), 0, this.isChecked));
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.kind.type().getName(), this.element.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		ValueType translated = this.element.translate(translator.argument(written, 0), translator);
		return new CollectionType(this.kind,
				this.kind.holdsNull() ? translated : new PresentType(this.kind, translated));
	}

	/**
	 * Elements of a translated collection that holds no null: an unknown constant is one.
	 */
	private static final class PresentType extends ValueType {

		private final CollectionKind kind;

		private final ValueType type;

		PresentType(CollectionKind kind, ValueType type) {
			super(type.wireType(), type.weight());
			this.kind = kind;
			this.type = type;
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			this.type.write(out, number, value);
		}

		@Override
		@Nullable Object read(ProtostuffInput in) {
			Object value = this.type.read(in);
			if (value == null) {
				this.kind.requireHoldsNull();
			}
			return value;
		}

		@Override
		TypeRef ref() {
			return this.type.ref();
		}

	}

}
