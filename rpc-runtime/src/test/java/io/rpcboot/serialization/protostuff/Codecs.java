package io.rpcboot.serialization.protostuff;

import java.util.Arrays;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.OutputBuffer;

/**
 * Codecs by service and method name, and round trips through them.
 */
public final class Codecs {

	private static final int LIMIT = 1 << 20;

	private Codecs() {
	}

	public static ServiceCodec of(Class<?> service) {
		return new ProtostuffSerializer().codec(ServiceDescriptor.of(service));
	}

	public static MethodCodec method(Class<?> service, String name) {
		for (MethodDescriptor each : ServiceDescriptor.of(service).methods()) {
			if (each.name().equals(name)) {
				return of(service).method(each.number());
			}
		}
		throw new IllegalArgumentException("%s has no method %s".formatted(service, name));
	}

	public static byte[] result(MethodCodec codec, Object value) {
		OutputBuffer buffer = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeResult(value, buffer);
		return buffer.toByteArray();
	}

	public static byte[] arguments(MethodCodec codec, Object... values) {
		OutputBuffer buffer = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeArguments(values, buffer);
		return buffer.toByteArray();
	}

	public static byte[] exception(MethodCodec codec, Throwable thrown) {
		OutputBuffer buffer = new OutputBuffer(new byte[1], LIMIT);
		return codec.serializeException(thrown, buffer) ? buffer.toByteArray() : null;
	}

	/** Through the result, read from the middle of a larger array. */
	@SuppressWarnings("unchecked")
	public static <T> T echo(MethodCodec codec, T value) {
		byte[] bytes = result(codec, value);
		byte[] larger = new byte[bytes.length + 20];
		Arrays.fill(larger, (byte) 0x7F);
		System.arraycopy(bytes, 0, larger, 10, bytes.length);
		return (T) codec.deserializeResult(larger, 10, bytes.length);
	}

}
