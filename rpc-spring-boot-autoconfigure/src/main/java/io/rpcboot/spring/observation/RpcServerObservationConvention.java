package io.rpcboot.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.rpcboot.interceptor.CallOutcome;

/**
 * Convention of server observations: name and key values. A bean replaces
 * {@link DefaultRpcServerObservationConvention}.
 *
 * @since 0.1.0
 */
public interface RpcServerObservationConvention extends ObservationConvention<RpcServerObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RpcServerObservationContext;
	}

	/**
	 * Returns true if an outcome is an error of the server, and not of the client.
	 * @param outcome the outcome of the call
	 * @return true for undeclared exceptions of the implementation, unknown failures,
	 * lost data, failures of the engine, expired calls and an unavailable or
	 * unimplemented method
	 */
	default boolean isError(CallOutcome outcome) {
		return switch (outcome.status()) {
			case APPLICATION, UNKNOWN, INTERNAL, DATA_LOSS, DEADLINE_EXCEEDED, UNAVAILABLE, UNIMPLEMENTED -> true;
			default -> false;
		};
	}

}
