package io.rpcboot.spring.observation;

import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.interceptor.RpcServerInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;

/**
 * Observes the calls of a server. What stands inside of it, and the implementation, are
 * in the scope of the observation on their thread.
 */
public final class RpcServerObservationInterceptor implements RpcServerInterceptor, Ordered {

	/** Where it stands, for those that are to stand outside of it. */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private static final RpcServerObservationConvention DEFAULT = new DefaultRpcServerObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable RpcServerObservationConvention custom;

	private final RpcServerObservationConvention convention;

	private final CallObservations observations;

	/**
	 * Create an interceptor.
	 * @param registry where calls are observed
	 * @param custom names them, null for {@link DefaultRpcServerObservationConvention}
	 * @param currentTraceId of the calling thread, null for none
	 */
	public RpcServerObservationInterceptor(ObservationRegistry registry,
			@Nullable RpcServerObservationConvention custom, Supplier<@Nullable String> currentTraceId) {
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
	public Position position() {
		return Position.BEFORE_ARGUMENTS;
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		RpcServerObservationContext context = new RpcServerObservationContext(call);
		return this.observations.observe(call,
				() -> RpcObservationDocumentation.SERVER.start(this.custom, DEFAULT, () -> context, this.registry),
				(outcome) -> {
					context.setResponse(outcome);
					return this.convention.isError(outcome);
				});
	}

}
