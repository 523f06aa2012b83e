package io.rpcboot.client;

import java.util.List;
import java.util.Objects;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.ContractCache;

/**
 * A service as this client calls it under one serializer.
 *
 * @param service the service
 * @param serializer name of the serializer
 * @param codec its serialization
 * @param firstNumber the number of its first method, the same on every connection
 * @param contracts other contracts of servers, whose tables are known
 */
record ServiceBinding(ServiceDescriptor service, String serializer, ServiceCodec codec, int firstNumber,
		ContractCache<ServerContract> contracts) {

	ServiceBinding(ServiceDescriptor service, String serializer, ServiceCodec codec, int firstNumber) {
		this(service, serializer, codec, firstNumber, new ContractCache<>(Bind.MAX_KNOWN));
	}

	List<ServerContract> knownContracts() {
		return this.contracts.hashes().stream().map(this.contracts::get).filter(Objects::nonNull).toList();
	}

	byte[] bindBody(List<ServerContract> known) {
		return new Bind(this.service.methods().size(), this.codec.contract().hash(),
				known.stream().map(ServerContract::hash).toList(), this.service.id().toString(), this.serializer)
			.encode();
	}

}
