package io.rpcboot.internal.serialization.protobuf.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import org.jspecify.annotations.Nullable;

/**
 * Type whose values are nested messages. A field may have its message in several parts,
 * which are merged: each part is read into the state of the parts before it, and the
 * value is created once, at the end of the message around it.
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

	/**
	 * Reads the fields up to the end of a part.
	 * @param before state after the part before, null for the first part
	 * @return state after this part
	 */
	protected abstract Object readPart(ProtobufInput in, @Nullable Object before);

	/**
	 * Creates the value of a message.
	 * @param state state after the last part
	 */
	protected abstract @Nullable Object create(ProtobufInput in, Object state);

	/** Writes a value as a whole message, without a tag. */
	public final void writeAlone(ProtobufOutput out, Object value) {
		writeFields(out, value);
	}

	/** Reads a whole message. */
	public final @Nullable Object readAlone(ProtobufInput in) {
		in.note(weight());
		return create(in, readPart(in, null));
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
		return create(in, readNested(in, null));
	}

	private Object readNested(ProtobufInput in, @Nullable Object before) {
		int outside = in.enterMessage();
		Object state = readPart(in, before);
		in.leaveMessage(outside);
		return state;
	}

	@Override
	public final Object readField(ProtobufInput in, int tag, @Nullable Object before) {
		requireTag(tag);
		if (before == null) {
			in.note(weight());
		}
		return readNested(in, before);
	}

	@Override
	public final @Nullable Object finish(ProtobufInput in, @Nullable Object state) {
		return (state != null) ? create(in, state) : null;
	}

}
