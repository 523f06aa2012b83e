package io.rpcboot.internal.serialization.protobuf;

import java.util.Arrays;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.TypeOptions;

/** Codecs of interfaces, and what they write. */
final class Codecs {

	private static final int LIMIT = 1 << 24;

	private Codecs() {
	}

	static ProtobufCodec of(Class<?> service) {
		return of(service, TypeOptions.NONE);
	}

	static ProtobufCodec of(Class<?> service, TypeOptions types) {
		return ProtobufCodec.of(ServiceDescriptor.of(service), types, NumberLock.NONE);
	}

	static MethodCodec method(Class<?> service, String name) {
		return of(service).method(number(service, name));
	}

	static int number(Class<?> service, String name) {
		return ServiceDescriptor.of(service)
			.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.mapToInt(MethodDescriptor::number)
			.findFirst()
			.orElseThrow();
	}

	static ProtoFile file(Class<?> service) {
		return ProtobufCodec.file(List.of(of(service)));
	}

	static byte[] arguments(MethodCodec codec, Object... values) {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeArguments(values, out);
		return out.toByteArray();
	}

	static byte[] result(MethodCodec codec, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeResult(value, out);
		return out.toByteArray();
	}

	static byte[] exception(MethodCodec codec, Throwable thrown) {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		return codec.serializeException(thrown, out) ? out.toByteArray() : null;
	}

	/** Reads a result from the middle of a larger array. */
	static Object read(MethodCodec codec, byte[] bytes) {
		byte[] larger = new byte[bytes.length + 20];
		Arrays.fill(larger, (byte) 0x7F);
		System.arraycopy(bytes, 0, larger, 10, bytes.length);
		return codec.deserializeResult(larger, 10, bytes.length);
	}

}
