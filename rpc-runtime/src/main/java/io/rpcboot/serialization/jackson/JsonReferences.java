package io.rpcboot.serialization.jackson;

import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

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
	Object read(JsonParser in) {
		return new AtomicReferenceArray<>((@Nullable Object[]) this.elements.read(in));
	}

}
