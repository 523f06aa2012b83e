package io.rpcboot.internal.server.builtin;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.OutputBuffer;

/** Writes fields of a small message in protobuf's wire format. */
@FunctionalInterface
interface FieldWriter {

	void write(ProtobufOutput out);

	static FieldWriter text(int number, String value) {
		return (out) -> out.writeString(number, value);
	}

	static FieldWriter integer(int number, int value) {
		return (out) -> out.writeInt32(number, value);
	}

	static FieldWriter bytes(int number, byte[] value) {
		return (out) -> out.writeByteArray(number, value);
	}

	static FieldWriter message(int number, FieldWriter... fields) {
		return (out) -> out.writeByteArray(number, toByteArray(fields));
	}

	/** Writes a field for each value. */
	static <T> FieldWriter each(Collection<T> values, Function<T, FieldWriter> field) {
		return all(values.stream().map(field).toList());
	}

	static FieldWriter all(List<FieldWriter> fields) {
		return (out) -> fields.forEach((each) -> each.write(out));
	}

	/** Returns the message with some fields. */
	static byte[] toByteArray(FieldWriter... fields) {
		OutputBuffer buffer = new OutputBuffer(new byte[64], Integer.MAX_VALUE);
		ProtobufOutput out = new ProtobufOutput(buffer);
		out.begin(true);
		all(List.of(fields)).write(out);
		out.finish();
		return buffer.toByteArray();
	}

}
