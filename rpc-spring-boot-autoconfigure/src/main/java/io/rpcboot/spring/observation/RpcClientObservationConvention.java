package io.rpcboot.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.CallOutcome;

/**
 * What the observation of a call at the client is named and has. A bean of it takes the
 * place of {@link DefaultRpcClientObservationConvention}.
 */
public interface RpcClientObservationConvention extends ObservationConvention<RpcClientObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RpcClientObservationContext;
	}

	/**
	 * Whether the end of a call is an error of its observation.
	 * @param outcome the end
	 * @return true unless it has returned, or thrown what its method declares
	 */
	default boolean isError(CallOutcome outcome) {
		return outcome.status() != RpcStatus.OK && outcome.status() != RpcStatus.DECLARED;
	}

}
