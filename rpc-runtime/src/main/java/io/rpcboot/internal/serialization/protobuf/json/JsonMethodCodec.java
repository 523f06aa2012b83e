package io.rpcboot.internal.serialization.protobuf.json;

import java.util.Objects;
import java.util.function.Consumer;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a method whose messages are JSON, around its codec in protobuf. Exceptions are
 * those of that codec. Thread-safe.
 *
 * @param name name for messages
 * @param request message of the arguments
 * @param response message of the result
 * @param protobuf codec in protobuf
 * @param buffers buffers for messages in protobuf
 */
record JsonMethodCodec(String name, JsonMessage request, JsonMessage response, MethodCodec protobuf,
		OutputBuffer.Pool buffers) implements MethodCodec {

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		write(this.request, "arguments", (buffer) -> this.protobuf.serializeArguments(arguments, buffer), out);
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return (@Nullable Object[]) Objects.requireNonNull(
				read(this.request, "arguments", source, offset, length, this.protobuf::deserializeArguments));
	}

	@Override
	public void serializeElement(Object element, OutputBuffer out) {
		write(this.request, "element", (buffer) -> this.protobuf.serializeElement(element, buffer), out);
	}

	@Override
	public @Nullable Object deserializeElement(byte[] source, int offset, int length) {
		return read(this.request, "element", source, offset, length, this.protobuf::deserializeElement);
	}

	@Override
	public void serializeResult(@Nullable Object result, OutputBuffer out) {
		write(this.response, "result", (buffer) -> this.protobuf.serializeResult(result, buffer), out);
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return read(this.response, "result", source, offset, length, this.protobuf::deserializeResult);
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer out) {
		return this.protobuf.serializeException(thrown, out);
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return this.protobuf.deserializeException(source, offset, length);
	}

	private void write(JsonMessage message, String what, Consumer<OutputBuffer> writer, OutputBuffer out) {
		OutputBuffer buffer = this.buffers.acquire();
		try {
			writer.accept(buffer);
			message.toJson(this.name, what, buffer.array(), 0, buffer.position(), out);
		}
		finally {
			this.buffers.release(buffer);
		}
	}

	private @Nullable Object read(JsonMessage message, String what, byte[] source, int offset, int length,
			Reader reader) {
		OutputBuffer buffer = this.buffers.acquire();
		try {
			message.toProtobuf(this.name, what, source, offset, length, buffer);
			return reader.read(buffer.array(), 0, buffer.position());
		}
		finally {
			this.buffers.release(buffer);
		}
	}

	@FunctionalInterface
	private interface Reader {

		@Nullable Object read(byte[] source, int offset, int length);

	}

}
