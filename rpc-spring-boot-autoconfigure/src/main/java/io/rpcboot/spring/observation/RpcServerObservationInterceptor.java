package io.rpcboot.spring.observation;

import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.interceptor.RpcServerInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;

/**
 * Observes the calls of a server. Interceptors with a higher order and the implementation
 * are in the scope of the observation while they use the thread of the call.
 *
 * @since 0.1.0
 */
public final class RpcServerObservationInterceptor implements RpcServerInterceptor, Ordered {

	/** The order of this interceptor. One with a lower order runs outside of it. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private static final RpcServerObservationConvention DEFAULT = new DefaultRpcServerObservationConvention();

	private final CallObservations<RpcServerObservationContext> observations;

	/**
	 * Creates an interceptor.
	 * @param registry where calls are observed
	 * @param custom names observations and their key values, null for
	 * {@link DefaultRpcServerObservationConvention}
	 * @param currentTraceId id of the calling thread's trace, null for none
	 */
	public RpcServerObservationInterceptor(ObservationRegistry registry,
			@Nullable RpcServerObservationConvention custom, Supplier<@Nullable String> currentTraceId) {
		RpcServerObservationConvention convention = (custom != null) ? custom : DEFAULT;
		this.observations = new CallObservations<>(registry,
				(context) -> RpcObservationDocumentation.SERVER.start(custom, DEFAULT, () -> context, registry),
				convention::isError, currentTraceId);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Position position() {
		return Position.BEFORE_ARGUMENTS;
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		return this.observations.observe(call, new RpcServerObservationContext(call));
	}

}
