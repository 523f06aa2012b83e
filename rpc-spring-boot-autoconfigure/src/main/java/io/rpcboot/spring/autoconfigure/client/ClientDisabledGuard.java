package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.transport.Options.InvalidOptionException;

/** Rejects references and names them, if {@code rpc.client.enabled} is false. */
final class ClientDisabledGuard implements RpcReferenceCustomizer {

	@Override
	public ReferenceOptions customize(Class<?> type, String name, ReferenceOptions options) {
		throw refusal("there is an @RpcReference of " + type.getName());
	}

	static InvalidPropertyException refusal(String what) {
		return new InvalidPropertyException("rpc.client.", InvalidOptionException.unusable("enabled",
				"false, but " + what, "Set enabled to true, or remove what needs the client.", null));
	}

}
