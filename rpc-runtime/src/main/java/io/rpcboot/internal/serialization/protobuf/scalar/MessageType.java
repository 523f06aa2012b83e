package io.rpcboot.internal.serialization.protobuf.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Type whose values are nested messages.
 */
public abstract class MessageType extends SingularType {

	private final LengthGuess guess = new LengthGuess();

	/**
	 * Creates a type.
	 * @param weight heap size of an instance, see {@link SingularType}
	 */
	protected MessageType(int weight) {
		super(WireFormat.WIRETYPE_LENGTH_DELIMITED, weight);
	}

	/** Writes the fields of a value. */
	protected abstract void writeFields(ProtobufOutput out, Object value);

	/** Reads the fields up to the end of the message. */
	protected abstract @Nullable Object readFields(ProtobufInput in);

	/** Writes a value as a whole message, without a tag. */
	public final void writeAlone(ProtobufOutput out, Object value) {
		writeFields(out, value);
	}

	/** Reads a whole message. */
	public final @Nullable Object readAlone(ProtobufInput in) {
		in.note(weight());
		return readFields(in);
	}

	@Override
	public final void write(ProtobufOutput out, int number, Object value) {
		int reserved = out.prefix(this.guess);
		int start = out.startMessage(number, reserved);
		writeFields(out, value);
		out.endMessage(start, reserved, this.guess);
	}

	@Override
	public final @Nullable Object read(ProtobufInput in) {
		int outside = in.enterMessage();
		Object value = readFields(in);
		in.leaveMessage(outside);
		return value;
	}

	/** Reads the field. A second message would have to be merged, so it is refused. */
	@Override
	public final @Nullable Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		if (before != null) {
			throw new PathException("a message twice in one field (expected: once)");
		}
		return super.readField(in, tag, null);
	}

}
