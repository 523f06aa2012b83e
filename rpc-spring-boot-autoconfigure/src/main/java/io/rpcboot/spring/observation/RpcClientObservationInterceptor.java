package io.rpcboot.spring.observation;

import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;

/**
 * Observes the calls of a client. What stands inside of it, and the calling thread while
 * it waits, are in the scope of the observation.
 */
public final class RpcClientObservationInterceptor implements RpcClientInterceptor, Ordered {

	/** Where it stands, for those that are to stand outside of it. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private static final RpcClientObservationConvention DEFAULT = new DefaultRpcClientObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable RpcClientObservationConvention custom;

	private final RpcClientObservationConvention convention;

	private final CallObservations observations;

	/**
	 * Create an interceptor.
	 * @param registry where calls are observed
	 * @param custom names them, null for {@link DefaultRpcClientObservationConvention}
	 * @param currentTraceId of the calling thread, null for none
	 */
	public RpcClientObservationInterceptor(ObservationRegistry registry,
			@Nullable RpcClientObservationConvention custom, Supplier<@Nullable String> currentTraceId) {
		this.registry = registry;
		this.custom = custom;
		this.convention = (custom != null) ? custom : DEFAULT;
		this.observations = new CallObservations(registry, currentTraceId);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public @Nullable Object intercept(ClientInvocation call) throws Throwable {
		RpcClientObservationContext context = new RpcClientObservationContext(call);
		return this.observations.observe(call,
				() -> RpcObservationDocumentation.CLIENT.start(this.custom, DEFAULT, () -> context, this.registry),
				(outcome) -> {
					context.setResponse(outcome);
					return this.convention.isError(outcome);
				});
	}

}
