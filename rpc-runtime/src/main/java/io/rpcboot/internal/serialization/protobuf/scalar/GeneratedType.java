package io.rpcboot.internal.serialization.protobuf.scalar;

import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import io.rpcboot.serialization.GeneratedMessage;
import org.jspecify.annotations.Nullable;

/** Message of a library, which writes and reads its bytes. */
public final class GeneratedType extends MessageType {

	/** Usual heap bytes for each byte of a message. */
	private static final int FACTOR = 4;

	private final ScalarSurrogate conversion;

	private final GeneratedMessage message;

	public GeneratedType(ScalarSurrogate conversion, GeneratedMessage message) {
		super(0);
		this.conversion = conversion;
		this.message = message;
	}

	@Override
	protected void writeFields(ProtobufOutput out, Object value) {
		out.append((byte[]) this.conversion.write(value));
	}

	@Override
	protected @Nullable Object readFields(ProtobufInput in) {
		byte[] bytes = in.readRest();
		in.charge((long) FACTOR * bytes.length);
		return this.conversion.read(bytes, in);
	}

	@Override
	public TypeName name(Declarations file) {
		return file.generated(this.message);
	}

}
