package io.rpcboot.internal.server.grpc;

import java.util.Arrays;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/** Codec of methods whose request and response are bytes. Immutable. */
final class BytesCodec implements MethodCodec {

	static final BytesCodec INSTANCE = new BytesCodec();

	private BytesCodec() {
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		throw new UnsupportedOperationException("arguments are read here");
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return new Object[] { Arrays.copyOfRange(source, offset, offset + length) };
	}

	@Override
	public @Nullable Object deserializeElement(byte[] source, int offset, int length) {
		return Arrays.copyOfRange(source, offset, offset + length);
	}

	@Override
	public void serializeResult(@Nullable Object result, OutputBuffer out) {
		if (result instanceof byte[] message) {
			out.write(message, 0, message.length);
		}
		else {
			throw new SerializationException("the response is %s (expected: the bytes of a message)".formatted(result));
		}
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		throw new UnsupportedOperationException("results are written here");
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer out) {
		return false;
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		throw new UnsupportedOperationException("exceptions are written here");
	}

}
