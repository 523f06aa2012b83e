package io.rpcboot.serialization.protostuff;

import java.util.concurrent.atomic.AtomicReferenceArray;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * An {@link AtomicReferenceArray}, on the wire an array.
 */
final class AtomicArrayType extends ValueType {

	private final ValueType element;

	private final ArrayType array;

	AtomicArrayType(ValueType element) {
		super(WireFormat.WIRETYPE_START_GROUP);
		this.element = element;
		this.array = new ArrayType(Object.class, element);
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		Exact.require(value, AtomicReferenceArray.class);
		AtomicReferenceArray<?> elements = (AtomicReferenceArray<?>) value;
		@Nullable Object[] copy = new @Nullable Object[elements.length()];
		for (int i = 0; i < copy.length; i++) {
			copy[i] = elements.get(i);
		}
		this.array.write(out, number, copy);
	}

	@Override
	Object read(ProtostuffInput in) {
		return new AtomicReferenceArray<>((@Nullable Object[]) this.array.read(in));
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(AtomicReferenceArray.class.getName(), this.element.ref());
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return new AtomicArrayType(this.element.translate(translator.argument(written, 0), translator));
	}

}
