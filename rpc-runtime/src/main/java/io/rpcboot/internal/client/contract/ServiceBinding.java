package io.rpcboot.internal.client.contract;

import java.util.List;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.ContractHash;

/**
 * Service that this client calls with one serializer.
 *
 * @param serializer name of the serializer
 * @param firstNumber number of its first method, the same on every connection
 */
public record ServiceBinding(ServiceDescriptor service, String serializer, ServiceCodec codec, int firstNumber) {

	/**
	 * Encodes the body of a BIND frame.
	 * @param known contracts of servers that the client has
	 */
	public byte[] bindBody(List<ContractHash> known) {
		return new Bind(this.service.methods().size(), this.codec.contract().hash(), known,
				this.service.id().toString(), this.serializer)
			.encode();
	}

}
