package io.rpcboot.internal.client.contract;

import java.util.List;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.ContractHash;

/**
 * A service as this client calls it under one serializer.
 *
 * @param service the service
 * @param serializer name of the serializer
 * @param codec its serialization
 * @param firstNumber the number of its first method, the same on every connection
 */
public record ServiceBinding(ServiceDescriptor service, String serializer, ServiceCodec codec, int firstNumber) {

	public byte[] bindBody(List<ContractHash> known) {
		return new Bind(this.service.methods().size(), this.codec.contract().hash(), known,
				this.service.id().toString(), this.serializer)
			.encode();
	}

}
