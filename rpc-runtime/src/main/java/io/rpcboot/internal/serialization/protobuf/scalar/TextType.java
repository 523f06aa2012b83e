package io.rpcboot.internal.serialization.protobuf.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;

/**
 * Text of well-formed UTF-8.
 */
final class TextType extends SingularType {

	TextType() {
		super(WireFormat.WIRETYPE_LENGTH_DELIMITED, 0);
	}

	@Override
	public void write(ProtobufOutput out, int number, Object value) {
		out.writeString(number, (String) value);
	}

	@Override
	public Object read(ProtobufInput in) {
		return in.readString();
	}

	@Override
	public boolean isMapKey() {
		return true;
	}

	@Override
	public TypeName name(Declarations file) {
		return TypeName.STRING;
	}

}
