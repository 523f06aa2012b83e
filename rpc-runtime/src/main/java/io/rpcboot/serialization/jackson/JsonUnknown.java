package io.rpcboot.serialization.jackson;

import tools.jackson.core.JsonGenerator;

import org.jspecify.annotations.Nullable;

/**
 * What only the writer has.
 */
final class JsonUnknown extends JsonType {

	static final JsonUnknown INSTANCE = new JsonUnknown();

	private JsonUnknown() {
		super(Void.class);
	}

	@Override
	void write(JsonGenerator out, Object value) {
		throw new IllegalStateException("nothing writes what only another writer has");
	}

	@Override
	@Nullable Object read(JsonInput in) {
		in.skipChildren();
		return null;
	}

}
