package io.rpcboot.serialization.fory;

import java.util.concurrent.atomic.AtomicReferenceArray;

import io.rpcboot.serialization.protostuff.ReadBudget;

import org.jspecify.annotations.Nullable;

/**
 * An {@link AtomicReferenceArray}, laid out as an array.
 */
final class ForyReferences extends ForyType {

	private final ForyArray elements;

	ForyReferences(ForyType element) {
		super(AtomicReferenceArray.class);
		this.elements = new ForyArray(Object.class, element);
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireExactly(javaType(), value);
		AtomicReferenceArray<?> references = (AtomicReferenceArray<?>) value;
		@Nullable Object[] copy = new @Nullable Object[references.length()];
		for (int i = 0; i < copy.length; i++) {
			copy[i] = references.get(i);
		}
		this.elements.write(out, copy);
	}

	@Override
	Object read(ForyInput in) {
		@Nullable Object[] read = (@Nullable Object[]) this.elements.read(in);
		in.budget.charge(2 * ReadBudget.OBJECT + (long) Integer.BYTES * read.length);
		return new AtomicReferenceArray<>(read);
	}

}
