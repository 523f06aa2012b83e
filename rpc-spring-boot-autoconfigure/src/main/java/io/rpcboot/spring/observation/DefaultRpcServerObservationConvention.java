package io.rpcboot.spring.observation;

import io.micrometer.common.KeyValues;
import io.rpcboot.interceptor.CallOutcome;

/**
 * Default convention of server observations: names and keys follow OpenTelemetry's
 * semantic conventions for RPC.
 *
 * @since 0.1.0
 */
public class DefaultRpcServerObservationConvention implements RpcServerObservationConvention {

	/** The name of the observation and of the meters that are derived from it. */
	public static final String NAME = "rpc.server.call.duration";

	/** Creates the convention. */
	public DefaultRpcServerObservationConvention() {
	}

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public String getContextualName(RpcServerObservationContext context) {
		return CallKeyValues.name(context.getInvocation().method());
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RpcServerObservationContext context) {
		return CallKeyValues.low(context.getInvocation().method(), context.getResponse());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RpcServerObservationContext context) {
		CallOutcome outcome = context.getResponse();
		return CallKeyValues.peer(context.getInvocation().context().connection().remote())
			.and(CallKeyValues.error(outcome, outcome != null && isError(outcome)));
	}

}
