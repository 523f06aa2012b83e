package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

/**
 * Bytes as they are.
 */
final class BytesType extends ValueType {

	BytesType() {
		super(WireFormat.WIRETYPE_LENGTH_DELIMITED);
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
	String contract() {
		return "byte[]";
	}

}
