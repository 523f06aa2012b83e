package io.rpcboot.internal.serialization.protostuff.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import org.jspecify.annotations.Nullable;

/**
 * Byte array, written as it is.
 */
final class BytesType extends ValueType {

	BytesType() {
		super(WireFormat.WIRETYPE_LENGTH_DELIMITED, 0);
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		out.writeByteArray(number, (byte[]) value);
	}

	@Override
	public Object read(ProtostuffInput in) {
		return in.readByteArray();
	}

	@Override
	public void writeField(ProtostuffOutput out, int number, Object value) {
		out.writeByteArray(number, (byte[]) value);
	}

	@Override
	public @Nullable Object takeField(ProtostuffInput in, int number) {
		return in.tryTag(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED)) ? in.readByteArray() : null;
	}

}
