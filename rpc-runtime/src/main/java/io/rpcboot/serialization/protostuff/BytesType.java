package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * Bytes as they are.
 */
final class BytesType extends ValueType {

	BytesType() {
		super(WireFormat.WIRETYPE_LENGTH_DELIMITED, 0);
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		out.writeByteArray(number, (byte[]) value);
	}

	@Override
	Object read(ProtostuffInput in) {
		return in.readByteArray();
	}

	@Override
	void writeField(ProtostuffOutput out, int number, Object value) {
		out.writeByteArray(number, (byte[]) value);
	}

	@Override
	@Nullable Object takeField(ProtostuffInput in, int number) {
		return in.tryTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED)) ? in.readByteArray() : null;
	}

}
