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
	protected Object readPart(ProtobufInput in, @Nullable Object before) {
		if (before == null) {
			return in.readRest();
		}
		ArrayParts parts = (before instanceof ArrayParts more) ? more : parts((byte[]) before);
		int start = in.position;
		in.skipFields();
		int from = parts.length();
		System.arraycopy(in.array, start, parts.extend(in, in.limit - start), from, in.limit - start);
		return parts;
	}

	/**
	 * Begins a message of several parts, whose bytes are one message together. Each has
	 * to be one alone, too, or it could end within the next one.
	 */
	private static ArrayParts parts(byte[] first) {
		new ProtobufInput(first, 0, first.length).skipFields();
		return new ArrayParts(first, Byte.BYTES);
	}

	@Override
	protected @Nullable Object create(ProtobufInput in, Object state) {
		byte[] bytes = (byte[]) ((state instanceof ArrayParts parts) ? parts.whole(in) : state);
		in.charge((long) FACTOR * bytes.length);
		return this.conversion.read(bytes, in);
	}

	@Override
	public TypeName name(Declarations file) {
		return file.generated(this.message);
	}

}
