package io.rpcboot.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.CallOutcome;

/**
 * Convention of client observations: name and key values. A bean replaces
 * {@link DefaultRpcClientObservationConvention}.
 *
 * @since 0.1.0
 */
public interface RpcClientObservationConvention extends ObservationConvention<RpcClientObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RpcClientObservationContext;
	}

	/**
	 * Returns true if an outcome is an error of its observation.
	 * @param outcome the outcome of the call
	 * @return true unless the method returned, or threw an exception that it declares
	 */
	default boolean isError(CallOutcome outcome) {
		return outcome.status() != RpcStatus.OK && outcome.status() != RpcStatus.DECLARED;
	}

}
