package io.rpcboot.spring.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.spring.observation.RpcObservationDocumentation.CallKey;
import io.rpcboot.spring.observation.RpcObservationDocumentation.ErrorKey;
import io.rpcboot.spring.observation.RpcObservationDocumentation.ServerKey;
import org.jspecify.annotations.Nullable;

/** Key values of observations that client and server share. */
final class CallKeyValues {

	private static final KeyValue SYSTEM = CallKey.SYSTEM.withValue("rpcboot");

	private static final KeyValue NO_STATUS = CallKey.STATUS.withValue("UNKNOWN");

	private CallKeyValues() {
	}

	static String name(MethodDescriptor method) {
		return method.service() + "/" + method.name();
	}

	/** Returns key values with few distinct values: one for each method and status. */
	static KeyValues low(MethodDescriptor method, @Nullable CallOutcome outcome) {
		return KeyValues.of(SYSTEM, CallKey.METHOD.withValue(name(method)),
				(outcome != null) ? CallKey.STATUS.withValue(outcome.status().name()) : NO_STATUS);
	}

	/** Returns the key values of an address with or without a port. */
	static KeyValues peer(String remote) {
		int colon = remote.lastIndexOf(':');
		String port = remote.substring(colon + 1);
		if (colon < 0 || port.isEmpty() || !port.chars().allMatch((each) -> each >= '0' && each <= '9')) {
			return KeyValues.of(ServerKey.PEER_ADDRESS.withValue(remote));
		}
		boolean brackets = remote.startsWith("[") && remote.charAt(colon - 1) == ']';
		String host = brackets ? remote.substring(1, colon - 1) : remote.substring(0, colon);
		return KeyValues.of(ServerKey.PEER_ADDRESS.withValue(host), ServerKey.PEER_PORT.withValue(port));
	}

	static KeyValues error(@Nullable CallOutcome outcome, boolean isError) {
		return (outcome != null && isError) ? KeyValues.of(ErrorKey.TYPE.withValue(outcome.status().name()))
				: KeyValues.empty();
	}

}
