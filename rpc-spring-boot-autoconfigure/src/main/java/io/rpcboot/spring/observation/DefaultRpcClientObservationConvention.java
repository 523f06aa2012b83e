package io.rpcboot.spring.observation;

import io.micrometer.common.KeyValues;
import io.rpcboot.Endpoint;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.spring.observation.RpcObservationDocumentation.ClientKey;

/**
 * Default convention of client observations: names and keys follow OpenTelemetry's
 * semantic conventions for RPC.
 *
 * @since 0.1.0
 */
public class DefaultRpcClientObservationConvention implements RpcClientObservationConvention {

	/** The name of the observation and of the meters that are derived from it. */
	public static final String NAME = "rpc.client.call.duration";

	/** Creates the convention. */
	public DefaultRpcClientObservationConvention() {
	}

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public String getContextualName(RpcClientObservationContext context) {
		return CallKeyValues.name(context.getInvocation().method());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RpcClientObservationContext context) {
		return CallKeyValues.low(context.getInvocation().method(), context.getResponse());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RpcClientObservationContext context) {
		CallOutcome outcome = context.getResponse();
		KeyValues known = CallKeyValues.error(outcome, outcome != null && isError(outcome));
		Endpoint endpoint = context.getInvocation().endpoint();
		return (endpoint != null) ? known.and(ClientKey.SERVER_ADDRESS.withValue(endpoint.host()),
				ClientKey.SERVER_PORT.withValue(String.valueOf(endpoint.port()))) : known;
	}

}
