package io.rpcboot.internal.serialization.protobuf;

import java.lang.reflect.AnnotatedElement;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.serialization.protobuf.composite.MessageFields;
import io.rpcboot.internal.serialization.protobuf.composite.Slot;
import io.rpcboot.internal.serialization.protobuf.scalar.MessageType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations.Body;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Request or response of a method: values are its fields, or the only value is the
 * message itself.
 */
final class MethodMessage {

	private final List<Slot> values;

	private final MessageFields fields;

	/** True if a value is the message itself, and no value is an empty one. */
	private final boolean isBare;

	private final Collection<Integer> reserved;

	/**
	 * Creates a message.
	 * @param reserved numbers that no field may have
	 */
	MethodMessage(List<Slot> values, boolean isBare, Collection<Integer> reserved) {
		this.values = List.copyOf(values);
		this.fields = new MessageFields(values);
		this.isBare = isBare;
		this.reserved = reserved;
	}

	int size() {
		return this.values.size();
	}

	/** Writes a value by its index. */
	void write(ProtobufOutput out, int index, @Nullable Object value) {
		Slot slot = this.values.get(index);
		if (!this.isBare) {
			slot.write(out, value);
			return;
		}
		try {
			if (value == null) {
				throw new PathException("null (expected: a value, because it is the message itself over gRPC)");
			}
			((MessageType) slot.type()).writeAlone(out, value);
		}
		catch (RuntimeException ex) {
			throw PathException.at(slot.step(), ex);
		}
	}

	/**
	 * Reads the message up to its end.
	 * @param read gets each value at its index
	 */
	void read(ProtobufInput in, @Nullable Object[] read) {
		if (!this.isBare || this.values.isEmpty()) {
			this.fields.read(in, read);
			return;
		}
		Slot slot = this.values.get(0);
		try {
			read[0] = ((MessageType) slot.type()).readAlone(in);
		}
		catch (RuntimeException ex) {
			throw PathException.at(slot.step(), ex);
		}
	}

	/**
	 * Declares the message.
	 * @param members members in Java by the names of the values
	 */
	Body declare(Declarations file, Map<String, ? extends AnnotatedElement> members) {
		if (!this.isBare) {
			return new Body(this.fields.declare(file, members), this.reserved, null);
		}
		return new Body(List.of(), List.of(), this.values.isEmpty() ? file.wellKnown(WellKnownFile.EMPTY)
				: ((MessageType) this.values.get(0).type()).name(file));
	}

}
