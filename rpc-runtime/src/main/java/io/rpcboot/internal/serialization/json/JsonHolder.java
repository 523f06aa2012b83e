package io.rpcboot.internal.serialization.json;

import io.rpcboot.internal.serialization.types.kind.HolderKind;
import tools.jackson.core.JsonToken;

/**
 * Holder of one value or none, such as {@code Optional}: an array of one element or none,
 * so an empty holder differs from null. A holder with a stamp is an array of the value
 * and the stamp.
 */
record JsonHolder(HolderKind kind, JsonType held) implements JsonType {

	/** Heap size of a holder with a stamp, in bytes. */
	private static final int SIZE = 40;

	@Override
	public void write(JsonOutput out, Object value) {
		Object content = this.kind.get(value);
		out.writeStartArray();
		if (content != null || this.kind.isStamped()) {
			this.held.writeNullable(out, content);
		}
		if (this.kind.isStamped()) {
			out.writeNumber(this.kind.stamp(value));
		}
		out.writeEndArray();
	}

	@Override
	public Object read(JsonInput in) {
		in.require(JsonToken.START_ARRAY);
		in.budget().charge(SIZE);
		if (in.nextToken() == JsonToken.END_ARRAY && !this.kind.isStamped()) {
			return this.kind.create(null, 0);
		}
		Object content = this.held.readNullable(in);
		in.nextToken();
		int stamp = 0;
		if (this.kind.isStamped()) {
			stamp = (int) JsonNumbers.integer(in, Integer.MIN_VALUE, Integer.MAX_VALUE);
			in.nextToken();
		}
		in.require(JsonToken.END_ARRAY);
		return this.kind.create(content, stamp);
	}

}
