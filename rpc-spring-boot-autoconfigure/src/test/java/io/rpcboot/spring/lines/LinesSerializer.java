package io.rpcboot.spring.lines;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;

/**
 * A serializer as an application writes one, from public types alone: each value is a
 * line of text, a record is the lines of its components between braces. It carries
 * numbers, {@code boolean}, {@code String}, {@code byte[]} and records of them, and
 * refuses every other type at start-up.
 */
public final class LinesSerializer implements Serializer {

	static final String NAME = "lines";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		return new LinesServiceCodec(service);
	}

}
