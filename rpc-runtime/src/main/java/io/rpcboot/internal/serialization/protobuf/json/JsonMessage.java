package io.rpcboot.internal.serialization.protobuf.json;

import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Translates messages of one type between JSON and protobuf. Thread-safe.
 */
public final class JsonMessage {

	private final JsonTypes types;

	private final MessageType type;

	JsonMessage(JsonTypes types, MessageType type) {
		this.types = types;
		this.type = type;
	}

	/**
	 * Translates JSON into protobuf.
	 * @param json array that holds the JSON
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @param out target, which has a part of the message after a failure
	 * @throws io.rpcboot.serialization.SerializationException if the bytes are not the
	 * JSON of the message
	 */
	public void toProtobuf(byte[] json, int offset, int length, OutputBuffer out) {
		toProtobuf(this.type.name(), "JSON", json, offset, length, out);
	}

	/**
	 * Translates JSON into protobuf.
	 * @param method name of the method, for messages
	 * @param what part of the call, for messages
	 */
	void toProtobuf(String method, String what, byte[] json, int offset, int length, OutputBuffer buffer) {
		OutputBuffer.Overflow overflow = buffer.overflow();
		buffer.overflow(null);
		try {
			this.types.streams().<@Nullable Void>read(method, what, json, offset, length, (in) -> {
				ProtobufOutput out = (buffer.writer() instanceof ProtobufOutput kept) ? kept
						: new ProtobufOutput(buffer);
				buffer.writer(out);
				out.begin(false);
				new JsonToProtobuf(this.types, in, out, json, offset, length).message(this.type);
				out.finish();
				return null;
			});
		}
		finally {
			buffer.overflow(overflow);
		}
	}

	/**
	 * Translates protobuf into JSON.
	 * @param protobuf array that holds the bytes of the message
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @param out target, which has a part of the JSON after a failure
	 * @throws io.rpcboot.serialization.SerializationException if the bytes are not those
	 * of the message, or JSON has no form for a value
	 */
	public void toJson(byte[] protobuf, int offset, int length, OutputBuffer out) {
		toJson(this.type.name(), "message", protobuf, offset, length, out);
	}

	/**
	 * Translates protobuf into JSON.
	 * @param method name of the method, for messages
	 * @param what part of the call, for messages
	 */
	void toJson(String method, String what, byte[] protobuf, int offset, int length, OutputBuffer buffer) {
		ReadBudget budget = new ReadBudget(length);
		try {
			this.types.streams().write(method, what, buffer, (out) -> {
				ProtobufInput in = new ProtobufInput(protobuf, offset, length);
				new ProtobufToJson(this.types, in, out, new FieldOrder(budget)).message(this.type);
			});
		}
		finally {
			budget.leave();
		}
	}

}
