package io.rpcboot.internal.serialization.protobuf.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;

/**
 * Byte array.
 */
final class BytesType extends SingularType {

	BytesType() {
		super(WireFormat.WIRETYPE_LENGTH_DELIMITED, 0);
	}

	@Override
	public void write(ProtobufOutput out, int number, Object value) {
		out.writeByteArray(number, (byte[]) value);
	}

	@Override
	public Object read(ProtobufInput in) {
		return in.readByteArray();
	}

	@Override
	public TypeName name(Declarations file) {
		return TypeName.BYTES;
	}

}
