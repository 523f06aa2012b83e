package io.rpcboot.serialization.contract;

import java.util.List;

import io.rpcboot.serialization.contract.ContractType.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Match between the methods of a client and a server that HTTP/2 carries: they are called
 * by their names there, and their values have other numbers.
 *
 * @param client contract of the client
 * @param server contract of the server
 * @param methods match of their contracts over HTTP/2
 */
record StreamMatch(Contract client, Contract server, MethodMatch methods) {

	/** Returns the match, null if one side tells no contract over HTTP/2. */
	static @Nullable StreamMatch of(Contract client, Contract server) {
		Contract ofClient = client.streams();
		Contract ofServer = server.streams();
		return (ofClient != null && ofServer != null)
				? new StreamMatch(client, server, new MethodMatch(ofClient, ofServer)) : null;
	}

	/**
	 * Returns the reason why a method of the client cannot call one of the server; empty
	 * if it can, or needs no HTTP/2.
	 */
	String difference(ContractMethod called, ContractMethod offered) {
		ContractMethod own = find(this.client, called);
		ContractMethod other = find(this.server, offered);
		if (own == null || other == null) {
			return "";
		}
		if (!own.name().equals(other.name())) {
			return "method %s: named %s over HTTP/2 at the client, %s at the server".formatted(called.signature(),
					own.name(), other.name());
		}
		return this.methods.difference(own, other);
	}

	/** Returns a method over HTTP/2, null if it has no streams. */
	private static @Nullable ContractMethod find(Contract contract, ContractMethod method) {
		Contract streams = contract.streams();
		if (streams == null || !isStreaming(contract, method)) {
			return null;
		}
		List<ContractMethod> before = contract.methods().subList(0, method.number());
		int place = (int) before.stream().filter((each) -> isStreaming(contract, each)).count();
		return (place < streams.methods().size()) ? streams.methods().get(place) : null;
	}

	private static boolean isStreaming(Contract contract, ContractMethod method) {
		return method.result().isStream()
				|| method.parameters().stream().anyMatch((each) -> each.isStream() || isCallback(contract.type(each)));
	}

	private static boolean isCallback(@Nullable ContractType type) {
		return type != null && type.kind() == Kind.CALLBACK;
	}

}
