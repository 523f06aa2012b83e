package io.rpcboot.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.rpcboot.interceptor.CallOutcome;

/**
 * What the observation of a call at the server is named and has. A bean of it takes the
 * place of {@link DefaultRpcServerObservationConvention}.
 */
public interface RpcServerObservationConvention extends ObservationConvention<RpcServerObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RpcServerObservationContext;
	}

	/**
	 * Whether the end of a call is an error of its observation: of this server, and not
	 * of who calls.
	 * @param outcome the end
	 * @return true for what the implementation threw and did not declare, for what broke
	 * here, and for what came too late
	 */
	default boolean isError(CallOutcome outcome) {
		return switch (outcome.status()) {
			case APPLICATION, INTERNAL, DEADLINE_EXCEEDED, UNAVAILABLE, UNIMPLEMENTED -> true;
			default -> false;
		};
	}

}
