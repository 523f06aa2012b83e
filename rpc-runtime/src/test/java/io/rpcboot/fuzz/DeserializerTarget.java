package io.rpcboot.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;

/**
 * Reads the bodies of frames. The first byte of an input is the method, the second what
 * it is read as. Whatever is read can be written, and reads as the same again.
 */
public final class DeserializerTarget implements FuzzTarget {

	private static final int ARGUMENTS = 0;

	private static final int RESULT = 1;

	private static final int EXCEPTION = 2;

	private static final int PARTS = 3;

	private static final int HEAD = 2;

	private static final int LIMIT = 64 * 1024 * 1024;

	private final List<MethodDescriptor> descriptors;

	private final ServiceCodec codec;

	public DeserializerTarget(Serializer serializer) {
		this(serializer.codec(ServiceDescriptor.of(KitchenSink.class)), (number) -> true);
	}

	private DeserializerTarget(ServiceCodec codec, IntPredicate carried) {
		this.codec = codec;
		this.descriptors = ServiceDescriptor.of(KitchenSink.class)
			.methods()
			.stream()
			.filter((each) -> carried.test(each.number()))
			.toList();
	}

	/** The same for protobuf, with the methods that it carries. */
	public static DeserializerTarget ofProtobuf() {
		ProtobufCodec codec = ProtobufCodec.of(ServiceDescriptor.of(KitchenSink.class), TypeOptions.NONE,
				NumberLock.NONE);
		return new DeserializerTarget(codec, codec::carries);
	}

	@Override
	public void run(byte[] input) {
		if (input.length < HEAD) {
			return;
		}
		int place = Byte.toUnsignedInt(input[0]) % this.descriptors.size();
		MethodCodec method = this.codec.method(this.descriptors.get(place).number());
		int part = Byte.toUnsignedInt(input[1]) % PARTS;
		int length = input.length - HEAD;
		byte[] zeros = new byte[input.length + 16];
		System.arraycopy(input, 0, zeros, 0, input.length);
		byte[] ones = zeros.clone();
		Arrays.fill(ones, input.length, ones.length, (byte) 1);
		Object[] read = new Object[1];
		Bounds.check(input.length, () -> read[0] = read(method, part, zeros, length));
		Object other = read(method, part, ones, length);
		if (read[0] instanceof SerializationException failure) {
			requireSame(failure.getMessage(), ((SerializationException) other).getMessage());
		}
		else {
			byte[] written = write(method, part, read[0]);
			requireSame(sorted(written), sorted(write(method, part, other)));
			requireSame(sorted(written), sorted(readAndWrite(method, part, written)));
		}
	}

	/** A hash table orders its keys otherwise when they hash by identity, or have met. */
	private static String sorted(byte[] bytes) {
		byte[] sorted = bytes.clone();
		Arrays.sort(sorted);
		return Arrays.toString(sorted);
	}

	private static byte[] readAndWrite(MethodCodec method, int part, byte[] written) {
		byte[] shifted = new byte[HEAD + written.length];
		System.arraycopy(written, 0, shifted, HEAD, written.length);
		return write(method, part, read(method, part, shifted, written.length));
	}

	private static void requireSame(Object first, Object second) {
		if (!first.equals(second)) {
			throw new AssertionError("%s and then %s (expected: the same)".formatted(first, second));
		}
	}

	/** What is read, or the only exception that is right. */
	private static Object read(MethodCodec method, int part, byte[] source, int length) {
		try {
			return switch (part) {
				case ARGUMENTS -> method.deserializeArguments(source, HEAD, length);
				case RESULT -> new Object[] { method.deserializeResult(source, HEAD, length) };
				default -> method.deserializeException(source, HEAD, length);
			};
		}
		catch (SerializationException ex) {
			return ex;
		}
	}

	private static byte[] write(MethodCodec method, int part, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[64], LIMIT);
		try {
			switch (part) {
				case ARGUMENTS -> method.serializeArguments((Object[]) value, out);
				case RESULT -> method.serializeResult(((Object[]) value)[0], out);
				default -> method.serializeException((Throwable) value, out);
			}
		}
		catch (MessageTooLargeException ex) {
			return new byte[0];
		}
		return out.toByteArray();
	}

	@Override
	public List<byte[]> seeds() {
		List<byte[]> seeds = new ArrayList<>();
		Map<String, Object[]> arguments = Samples.arguments();
		Map<String, Object> results = Samples.results();
		for (int i = 0; i < this.descriptors.size(); i++) {
			MethodDescriptor each = this.descriptors.get(i);
			MethodCodec method = this.codec.method(each.number());
			seeds.add(seed(i, ARGUMENTS, sample(method, ARGUMENTS, arguments.get(each.name()))));
			seeds.add(seed(i, RESULT, sample(method, RESULT, new Object[] { results.get(each.name()) })));
			for (Throwable thrown : List.of(new IOException("message"), new KitchenSink.Refused("refused", 5))) {
				byte[] written = write(method, EXCEPTION, thrown);
				if (written.length > 0) {
					seeds.add(seed(i, EXCEPTION, written));
				}
			}
		}
		return seeds;
	}

	/** Protobuf refuses some of the samples, such as those with a null element. */
	private byte[] sample(MethodCodec method, int part, Object value) {
		try {
			return write(method, part, value);
		}
		catch (SerializationException ex) {
			if (this.codec instanceof ProtobufCodec) {
				return new byte[0];
			}
			throw ex;
		}
	}

	private static byte[] seed(int method, int part, byte[] body) {
		byte[] seed = new byte[HEAD + body.length];
		seed[0] = (byte) method;
		seed[1] = (byte) part;
		System.arraycopy(body, 0, seed, HEAD, body.length);
		return seed;
	}

}
