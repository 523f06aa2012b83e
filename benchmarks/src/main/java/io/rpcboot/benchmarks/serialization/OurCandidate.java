package io.rpcboot.benchmarks.serialization;

import java.util.Objects;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/**
 * This project, as its engine calls it: the codec of a method of a service.
 */
final class OurCandidate implements Candidate {

	private static final int LIMIT = 1 << 23;

	private final OutputBuffer buffer = new OutputBuffer(new byte[8192], LIMIT);

	private final MethodCodec codec;

	OurCandidate(Sample sample) {
		ServiceDescriptor service = ServiceDescriptor.of(BenchService.class);
		String name = (sample == Sample.USER) ? "getUser" : "listUser";
		MethodDescriptor method = service.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.findFirst()
			.orElseThrow();
		this.codec = new ProtostuffSerializer().codec(service).method(method.number());
	}

	@Override
	public int serialize(Object value) {
		this.buffer.position(0);
		this.codec.serializeResult(value, this.buffer);
		return this.buffer.length();
	}

	@Override
	public byte[] bytes() {
		return this.buffer.toByteArray();
	}

	@Override
	public Object deserialize(byte[] bytes) {
		return Objects.requireNonNull(this.codec.deserializeResult(bytes, 0, bytes.length));
	}

}
