package io.rpcboot.internal.protocol.grpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;

/** Reads and writes messages of protobuf among the details of a status. */
final class ProtobufMessage {

	private static final int FIRST_SIZE = 256;

	private static final int WIRE_TYPE_LENGTH = 2;

	private ProtobufMessage() {
	}

	/** Returns the last number of a field, 0 without one. */
	static long number(byte[] message, int field) {
		return read(message, field, new ArrayList<>());
	}

	/** Returns the last bytes of a field, none without one. */
	static byte[] last(byte[] message, int field) {
		List<byte[]> all = all(message, field);
		return all.isEmpty() ? new byte[0] : all.get(all.size() - 1);
	}

	/** Returns all bytes of a field. */
	static List<byte[]> all(byte[] message, int field) {
		List<byte[]> all = new ArrayList<>();
		read(message, field, all);
		return all;
	}

	private static long read(byte[] message, int field, List<byte[]> bytes) {
		long number = 0;
		ProtobufInput in = new ProtobufInput(message, 0, message.length);
		try {
			while (in.hasMore()) {
				int tag = in.readTag();
				if (tag == field << 3) {
					number = in.readInt64();
				}
				else if (tag == (field << 3 | WIRE_TYPE_LENGTH)) {
					bytes.add(in.readByteArray());
				}
				else {
					in.skip(tag);
				}
			}
		}
		catch (PathException ex) {
			throw malformed(ex);
		}
		return number;
	}

	static GrpcException malformed(RuntimeException cause) {
		return new GrpcException(RpcStatus.INTERNAL,
				"grpc-status-details-bin: %s (expected: Base64 of google.rpc.Status)".formatted(cause.getMessage()));
	}

	static byte[] write(Consumer<ProtobufOutput> fields) {
		OutputBuffer buffer = new OutputBuffer(new byte[FIRST_SIZE], Integer.MAX_VALUE);
		ProtobufOutput out = new ProtobufOutput(buffer);
		out.begin(true);
		fields.accept(out);
		out.finish();
		return buffer.toByteArray();
	}

}
