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
	 * @return true unless the method returned, threw an exception that it declares, or
	 * its stream was cancelled by its subscriber
	 */
	default boolean isError(CallOutcome outcome) {
		boolean isUnwanted = outcome.status() == RpcStatus.CANCELLED && outcome.failure() == null;
		return outcome.status() != RpcStatus.OK && outcome.status() != RpcStatus.DECLARED && !isUnwanted;
	}

}
