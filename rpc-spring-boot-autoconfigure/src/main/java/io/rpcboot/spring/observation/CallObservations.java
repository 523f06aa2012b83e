package io.rpcboot.spring.observation;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ResponseContext;
import io.rpcboot.RpcException;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcInvocation;
import io.rpcboot.interceptor.ServerInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes the calls of one side. Conventions and handlers are code of the application: a
 * failure of theirs loses the observation and is logged once; the call goes on.
 *
 * @param <C> context of an observation
 */
final class CallObservations<C extends Observation.Context & ResponseContext<CallOutcome>> {

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	private final ObservationRegistry registry;

	private final Function<C, Observation> start;

	private final Predicate<CallOutcome> isError;

	private final Supplier<@Nullable String> currentTraceId;

	/** True once a failure was logged. */
	private final AtomicBoolean hasFailed = new AtomicBoolean();

	/**
	 * Creates observations.
	 * @param registry where calls are observed
	 * @param start starts the observation of a call
	 * @param isError true for an outcome that is an error of its observation
	 * @param currentTraceId id of the calling thread's trace, null for none
	 */
	CallObservations(ObservationRegistry registry, Function<C, Observation> start, Predicate<CallOutcome> isError,
			Supplier<@Nullable String> currentTraceId) {
		this.registry = registry;
		this.start = start;
		this.isError = isError;
		this.currentTraceId = currentTraceId;
	}

	/**
	 * Proceeds with a call in the scope of a new observation, which stops when the call
	 * ends. Code of a server's call that runs later is in its scope too.
	 */
	@Nullable Object observe(ServerInvocation call, C context) throws Throwable {
		return observe(call, context, begin(context), true);
	}

	/**
	 * Proceeds with a call in the scope of a new observation, which stops when the call
	 * ends. Callbacks of the future of a client's call are in the scope of the calling
	 * code.
	 */
	@Nullable Object observe(ClientInvocation call, C context) throws Throwable {
		Observation around = this.registry.getCurrentObservation();
		if (around != null) {
			call.addScope(() -> reopen(around));
		}
		return observe(call, context, begin(context), false);
	}

	private @Nullable Object observe(RpcInvocation call, C context, @Nullable Observation observation,
			boolean isScopeOfCall) throws Throwable {
		if (observation == null || observation.isNoop()) {
			return call.proceed();
		}
		if (isScopeOfCall) {
			call.addScope(() -> reopen(observation));
		}
		Observation.Scope before = this.registry.getCurrentObservationScope();
		Observation.Scope scope = open(observation);
		setTraceId(call);
		try {
			return call.proceed();
		}
		finally {
			close(scope, before);
			// the last listener: others log in the scope of the observation
			call.onEnd((outcome) -> end(observation, context, outcome));
		}
	}

	private Runnable reopen(Observation observation) {
		Observation.Scope before = this.registry.getCurrentObservationScope();
		Observation.Scope scope = open(observation);
		return () -> {
			if (this.registry.getCurrentObservationScope() == scope) {
				close(scope, before);
			}
		};
	}

	private @Nullable Observation begin(C context) {
		try {
			return this.start.apply(context);
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
			return null;
		}
	}

	/**
	 * Opens a scope. Returns null if that failed before the scope became the current one;
	 * a scope that a later handler failed to open is returned, because it must be closed.
	 */
	private Observation.@Nullable Scope open(Observation observation) {
		try {
			return observation.openScope();
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
			Observation.Scope half = this.registry.getCurrentObservationScope();
			return (half != null && half.getCurrentObservation() == observation) ? half : null;
		}
	}

	private void setTraceId(RpcInvocation call) {
		try {
			String traceId = this.currentTraceId.get();
			if (traceId != null) {
				call.traceId(traceId);
			}
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
		}
	}

	/**
	 * Closes a scope. If a handler fails, the previous scope is restored, so that the
	 * next call of the thread does not belong to this observation.
	 */
	private void close(Observation.@Nullable Scope scope, Observation.@Nullable Scope before) {
		try {
			if (scope != null) {
				scope.close();
			}
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
			this.registry.setCurrentObservationScope(before);
		}
	}

	private void end(Observation observation, C context, CallOutcome outcome) {
		try {
			context.setResponse(outcome);
			if (this.isError.test(outcome)) {
				Throwable failure = outcome.failure();
				observation.error((failure != null) ? failure
						: new RpcException(outcome.status(), "the call ended as " + outcome.status(), true));
			}
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
		}
		Observation.Scope scope = this.registry.getCurrentObservationScope();
		if (scope != null && scope.getCurrentObservation() == observation) {
			close(scope, scope.getPreviousObservationScope());
		}
		try {
			observation.stop(); // also after a failure: long task timers count until then
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
		}
	}

	private void failed(Throwable ex) {
		if (this.hasFailed.compareAndSet(false, true)) {
			logger.warn(
					"An observation failed. Calls go on; traces may have gaps from now on. Further failures are not logged.",
					ex);
		}
	}

}
