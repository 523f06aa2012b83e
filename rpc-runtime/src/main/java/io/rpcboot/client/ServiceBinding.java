package io.rpcboot.client;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.ServiceCodec;

/**
 * A service as this client calls it.
 *
 * @param service the service
 * @param codec its serialization
 * @param firstNumber the number of its first method, the same on every connection
 */
record ServiceBinding(ServiceDescriptor service, ServiceCodec codec, int firstNumber) {

	byte[] bindBody() {
		ContractHash hash = this.codec.contract().hash();
		return new Bind(this.service.methods().size(), hash.high(), hash.low(), this.service.id().toString()).encode();
	}

}
