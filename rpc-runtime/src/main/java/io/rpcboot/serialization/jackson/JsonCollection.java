package io.rpcboot.serialization.jackson;

import io.rpcboot.serialization.protostuff.ServiceCollection;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/**
 * A collection: an array. A sorted one in reversed order is an object with the one
 * property {@value JsonOrder#REVERSED}.
 */
final class JsonCollection extends JsonType {

	static final String REVERSED = "reversed";

	private final ServiceCollection kind;

	private final JsonType element;

	JsonCollection(ServiceCollection kind, JsonType element) {
		super(kind.javaType());
		this.kind = kind;
		this.element = element;
	}

	@Override
	void write(JsonGenerator out, Object value) {
		if (!javaType().isInstance(value)) {
			throw new JsonFailure("%s (expected: %s)".formatted(value.getClass().getName(), javaType().getName()));
		}
		boolean reversed = this.kind.isReversed(value);
		if (reversed) {
			out.writeStartObject();
			out.writeName(REVERSED);
		}
		out.writeStartArray();
		for (Object each : this.kind.elements(value)) {
			this.element.writeNullable(out, each);
		}
		out.writeEndArray();
		if (reversed) {
			out.writeEndObject();
		}
	}

	@Override
	Object read(JsonInput in) {
		boolean reversed = in.currentToken() == JsonToken.START_OBJECT;
		if (reversed) {
			in.nextToken();
			require(in, JsonToken.PROPERTY_NAME);
			if (!in.currentName().equals(REVERSED)) {
				throw new JsonFailure("a property '%s' (expected: '%s')".formatted(in.currentName(), REVERSED));
			}
			in.nextToken();
		}
		Object collection = readElements(in, reversed);
		if (reversed) {
			in.nextToken();
			require(in, JsonToken.END_OBJECT);
		}
		return collection;
	}

	private Object readElements(JsonInput in, boolean reversed) {
		require(in, JsonToken.START_ARRAY);
		ServiceCollection.Elements elements = this.kind.begin(in.budget(), reversed);
		while (in.nextToken() != JsonToken.END_ARRAY) {
			elements.add(this.element.readNullable(in));
		}
		return elements.finish();
	}

}
