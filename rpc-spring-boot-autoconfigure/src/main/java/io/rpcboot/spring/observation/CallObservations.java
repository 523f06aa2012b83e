package io.rpcboot.spring.observation;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.rpcboot.RpcException;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes calls of a side. Conventions and handlers are code of others: what they throw
 * costs a line of the log and the observation, never a call.
 */
final class CallObservations {

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	private final ObservationRegistry registry;

	private final Supplier<@Nullable String> currentTraceId;

	private final AtomicBoolean hasFailed = new AtomicBoolean();

	/**
	 * Create observations.
	 * @param registry where calls are observed
	 * @param currentTraceId of the calling thread, null for none
	 */
	CallObservations(ObservationRegistry registry, Supplier<@Nullable String> currentTraceId) {
		this.registry = registry;
		this.currentTraceId = currentTraceId;
	}

	/** What tells of the end of a call, before its observation is stopped. */
	@FunctionalInterface
	interface Ending {

		/** Returns whether it is an error. */
		boolean ended(CallOutcome outcome);

	}

	/** Let a call go on in the scope of its observation, which ends with the call. */
	@Nullable Object observe(RpcInvocation call, Supplier<Observation> started, Ending ending) throws Throwable {
		Observation observation = begin(started);
		if (observation == null || observation.isNoop()) {
			return call.proceed();
		}
		call.onEnd((outcome) -> end(observation, outcome, ending));
		Observation.Scope before = this.registry.getCurrentObservationScope();
		Observation.Scope scope = open(observation);
		tellTrace(call);
		try {
			return call.proceed();
		}
		finally {
			close(scope, before);
		}
	}

	private @Nullable Observation begin(Supplier<Observation> started) {
		try {
			return started.get();
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
			return null;
		}
	}

	/** Returns what is to be closed, also if it was not opened for everybody. */
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

	private void tellTrace(RpcInvocation call) {
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

	/** Whoever fails, the next call of the thread must not belong to this one. */
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

	private void end(Observation observation, CallOutcome outcome, Ending ending) {
		try {
			if (ending.ended(outcome)) {
				Throwable failure = outcome.failure();
				observation.error((failure != null) ? failure
						: new RpcException(outcome.status(), "the call ended as " + outcome.status(), true));
			}
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
		}
		try {
			observation.stop(); // those who count what is under way wait for it
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
		}
	}

	private void failed(Throwable ex) {
		if (this.hasFailed.compareAndSet(false, true)) {
			logger.warn(
					"An observation failed; calls go on, and traces may have gaps from now on, without another line",
					ex);
		}
	}

}
