package io.rpcboot.serialization.jackson;

import java.util.concurrent.atomic.AtomicReferenceArray;

import io.rpcboot.serialization.protostuff.ReadBudget;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * An {@link AtomicReferenceArray}: an array.
 */
final class JsonReferences extends JsonType {

	private final JsonArray elements;

	JsonReferences(JsonType element) {
		super(AtomicReferenceArray.class);
		this.elements = new JsonArray(Object.class, element);
	}

	@Override
	void write(JsonGenerator out, Object value) {
		AtomicReferenceArray<?> references = (AtomicReferenceArray<?>) value;
		@Nullable Object[] copy = new @Nullable Object[references.length()];
		for (int i = 0; i < copy.length; i++) {
			copy[i] = references.get(i);
		}
		this.elements.write(out, copy);
	}

	@Override
	Object read(JsonInput in) {
		@Nullable Object[] read = (@Nullable Object[]) this.elements.read(in);
		in.budget().charge(2 * ReadBudget.OBJECT + (long) Integer.BYTES * read.length);
		return new AtomicReferenceArray<>(read);
	}

}
