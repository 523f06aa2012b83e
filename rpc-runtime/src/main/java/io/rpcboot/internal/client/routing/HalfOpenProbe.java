package io.rpcboot.internal.client.routing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.rpcboot.internal.client.call.ClientCall;

/**
 * Trial of an ejected instance, which one call takes: an idempotent call, because it can
 * be retried elsewhere, or after 2 s any call. Half-open state of a circuit breaker. Any
 * thread.
 */
final class HalfOpenProbe {

	/** Time that is reserved for idempotent calls. */
	private static final long IDEMPOTENT_ONLY_NANOS = TimeUnit.SECONDS.toNanos(2);

	/** Table with the instance alone. */
	final RoutingTable ready;

	private final LongSupplier nanoTime;

	private final long openedNanos;

	private final long idempotentOnlyNanos;

	private final AtomicBoolean taken = new AtomicBoolean();

	/**
	 * Opens a trial.
	 * @param ready table with the instance alone
	 * @param wentWell true if the trial before has succeeded: any call may take this one
	 */
	HalfOpenProbe(RoutingTable ready, boolean wentWell, LongSupplier nanoTime) {
		this.ready = ready;
		this.nanoTime = nanoTime;
		this.openedNanos = nanoTime.getAsLong();
		this.idempotentOnlyNanos = wentWell ? 0 : IDEMPOTENT_ONLY_NANOS;
	}

	/** Returns true if a call takes the trial. */
	boolean tryTake(ClientCall call) {
		boolean fits = !this.taken.get() && call.attempts == null && !call.isOneWay()
				&& (call.method.descriptor.isIdempotent()
						|| this.nanoTime.getAsLong() - this.openedNanos >= this.idempotentOnlyNanos)
				&& this.ready.forMethod(call.method.number).connections.length > 0;
		return fits && this.taken.compareAndSet(false, true);
	}

	/** Returns true if a call has taken the trial. */
	boolean isTaken() {
		return this.taken.get();
	}

}
