package io.rpcboot.internal.serialization.protobuf.composite;

import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Field of a message.
 *
 * @param number number on the wire
 * @param index index of the value among those of the message
 * @param name name in Java
 * @param step step in the path of a failure
 * @param type type of the value
 */
public record Slot(int number, int index, String name, String step, FieldType type) {

	/** Writes the value, which may be null. */
	public void write(ProtobufOutput out, @Nullable Object value) {
		try {
			this.type.writeField(out, this.number, value);
		}
		catch (RuntimeException ex) {
			throw PathException.at(this.step, ex);
		}
	}

}
