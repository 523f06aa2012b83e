package io.rpcboot.security;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.fuzz.KitchenSink;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/** The kitchen sink's codecs by the names of its methods. */
final class Sink {

	private final ServiceDescriptor service = ServiceDescriptor.of(KitchenSink.class);

	private final ServiceCodec codec = new ProtostuffSerializer().codec(this.service);

	MethodCodec method(String name) {
		for (MethodDescriptor each : this.service.methods()) {
			if (each.name().equals(name)) {
				return this.codec.method(each.number());
			}
		}
		throw new IllegalArgumentException(name);
	}

}
