package io.rpcboot.internal.server.builtin;

import io.protostuff.WireFormat;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.serialization.PathException;

/** Reads the fields of a request to health or reflection. */
@FunctionalInterface
interface FieldReader {

	/** Wire type of texts and messages: the tag of field 3 is {@code 3 << 3 | TEXT}. */
	int TEXT = WireFormat.WIRETYPE_LENGTH_DELIMITED;

	/** Maximum length of a request, which holds a name. */
	int MAX_LENGTH = 16 * 1024;

	/** Reads a field, or skips it. */
	void read(ProtobufInput in, int tag);

	/**
	 * Reads a request. Ends the call and returns false if it is malformed or too long.
	 */
	static boolean readAll(byte[] bytes, int offset, int length, FieldReader fields, StreamHandler.Responses call) {
		try {
			readAll(bytes, offset, length, fields);
			return true;
		}
		catch (PathException ex) {
			call.close(RpcStatus.INVALID_ARGUMENT, "request: " + ex.getMessage());
			return false;
		}
	}

	/**
	 * Reads a request.
	 * @throws PathException if it is malformed or too long
	 */
	static void readAll(byte[] bytes, int offset, int length, FieldReader fields) {
		if (length > MAX_LENGTH) {
			throw new PathException("%d bytes (expected: at most %d)".formatted(length, MAX_LENGTH));
		}
		ProtobufInput in = new ProtobufInput(bytes, offset, length);
		try {
			while (in.hasMore()) {
				fields.read(in, in.readTag());
			}
		}
		finally {
			in.leave();
		}
	}

}
