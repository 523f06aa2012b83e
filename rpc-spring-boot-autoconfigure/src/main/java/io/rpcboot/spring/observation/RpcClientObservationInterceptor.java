package io.rpcboot.spring.observation;

import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;

/**
 * Observes the calls of a client. Interceptors with a higher order, and the calling
 * thread while it waits, are in the scope of the observation.
 *
 * @since 0.1.0
 */
public final class RpcClientObservationInterceptor implements RpcClientInterceptor, Ordered {

	/** The order of this interceptor. One with a lower order runs outside of it. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private static final RpcClientObservationConvention DEFAULT = new DefaultRpcClientObservationConvention();

	private final CallObservations<RpcClientObservationContext> observations;

	/**
	 * Creates an interceptor.
	 * @param registry where calls are observed
	 * @param custom names observations and their key values, null for
	 * {@link DefaultRpcClientObservationConvention}
	 * @param currentTraceId id of the calling thread's trace, null for none
	 */
	public RpcClientObservationInterceptor(ObservationRegistry registry,
			@Nullable RpcClientObservationConvention custom, Supplier<@Nullable String> currentTraceId) {
		RpcClientObservationConvention convention = (custom != null) ? custom : DEFAULT;
		this.observations = new CallObservations<>(registry,
				(context) -> RpcObservationDocumentation.CLIENT.start(custom, DEFAULT, () -> context, registry),
				convention::isError, currentTraceId);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public @Nullable Object intercept(ClientInvocation call) throws Throwable {
		return this.observations.observe(call, new RpcClientObservationContext(call));
	}

}
