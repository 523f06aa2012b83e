package io.rpcboot.benchmarks.serialization;

import io.protostuff.LinkedBuffer;
import io.protostuff.ProtostuffIOUtil;
import io.protostuff.Schema;
import io.protostuff.runtime.RuntimeSchema;

import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;

/**
 * Protostuff as its documentation uses it. It has no way to write into an array of the
 * caller; its own buffer is used again.
 */
final class ProtostuffCandidate implements Candidate {

	private final LinkedBuffer buffer = LinkedBuffer.allocate(8192);

	private final Schema<Object> schema;

	private byte[] last = {};

	@SuppressWarnings("unchecked")
	ProtostuffCandidate(Sample sample) {
		Class<?> type = (sample == Sample.USER) ? User.class : Page.class;
		this.schema = (Schema<Object>) RuntimeSchema.getSchema(type);
	}

	@Override
	public int serialize(Object value) {
		try {
			this.last = ProtostuffIOUtil.toByteArray(value, this.schema, this.buffer);
		}
		finally {
			this.buffer.clear();
		}
		return this.last.length;
	}

	@Override
	public byte[] bytes() {
		return this.last;
	}

	@Override
	public Object deserialize(byte[] bytes) {
		Object value = this.schema.newMessage();
		ProtostuffIOUtil.mergeFrom(bytes, value, this.schema);
		return value;
	}

}
