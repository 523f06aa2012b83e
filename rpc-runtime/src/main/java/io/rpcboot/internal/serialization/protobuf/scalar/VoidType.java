package io.rpcboot.internal.serialization.protobuf.scalar;

import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Type of {@code Result<Void>}, whose only value is null: an absent
 * {@code google.protobuf.Empty}.
 */
final class VoidType extends MessageType {

	VoidType() {
		super(0);
	}

	@Override
	protected void writeFields(ProtobufOutput out, Object value) {
		throw new PathException("%s for java.lang.Void (expected: null)".formatted(value.getClass().getTypeName()));
	}

	@Override
	protected Object readPart(ProtobufInput in, @Nullable Object before) {
		throw new PathException("a value for java.lang.Void (expected: null)");
	}

	@Override
	protected @Nullable Object create(ProtobufInput in, Object state) {
		return null;
	}

	@Override
	public TypeName name(Declarations file) {
		return file.wellKnown(WellKnownFile.EMPTY);
	}

}
