package io.rpcboot.serialization.protostuff;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;

/** Placeholder until merge. */
public final class ProtostuffSerializer implements Serializer {

	@Override
	public String name() {
		return "protostuff";
	}

	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		throw new IllegalStateException();
	}

}
