package io.rpcboot.engine;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/** The default serializer under another name. */
record NamedSerializer(String name) implements Serializer {

	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		return new ProtostuffSerializer().codec(service);
	}

}
