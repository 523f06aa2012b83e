package io.rpcboot.internal.serialization.protobuf.json;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * Field of a message. Immutable.
 *
 * @param name name in the file
 * @param jsonName name in JSON
 * @param number number of the field
 * @param kind type of the value
 * @param isRepeated true for a list or a map
 * @param hasPresence true if a value is told from an absent one
 * @param choice index of its {@code oneof} in the message, -1 for none
 * @param message type of the messages, null for other values
 * @param constants constants of the enum, null for other values
 * @param guess size of the length of its last value
 */
public record MessageField(String name, SerializableString jsonName, int number, FieldKind kind, boolean isRepeated,
		boolean hasPresence, int choice, @Nullable MessageType message, @Nullable EnumNames constants,
		LengthGuess guess) {

	MessageField(String name, String jsonName, int number, FieldKind kind, boolean isRepeated, boolean hasPresence,
			int choice, @Nullable MessageType message, @Nullable EnumNames constants) {
		this(name, new SerializedString(jsonName), number, kind, isRepeated, hasPresence, choice, message, constants,
				new LengthGuess());
	}

	/** Returns the type of the messages. */
	public MessageType type() {
		if (this.message == null) {
			throw new IllegalStateException(this.name + " (expected: a message)");
		}
		return this.message;
	}

	/** Returns the constants of the enum. */
	public EnumNames names() {
		if (this.constants == null) {
			throw new IllegalStateException(this.name + " (expected: an enum)");
		}
		return this.constants;
	}

	/** Returns true for the entries of a map. */
	public boolean isMap() {
		return this.message != null && this.message.form() == MessageType.Form.ENTRY;
	}

	/** Returns true if null is a value. For other fields, null is an absent value. */
	boolean acceptsNull() {
		return (this.message != null && this.message.form() == MessageType.Form.VALUE)
				|| (this.constants != null && this.constants.isNull());
	}

	/** Returns the tag of one value, as a varint. */
	long tag() {
		return (long) this.number << 3 | this.kind.wireType();
	}

	/** Returns true if a value with a tag of this number can be read. */
	boolean accepts(int tag) {
		return WireFormat.getTagWireType(tag) == this.kind.wireType() || isPacked(tag);
	}

	/** Returns true for the tag of a packed field. */
	boolean isPacked(int tag) {
		return this.isRepeated && this.kind.isNumber()
				&& WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
	}

}
