package io.rpcboot.internal.client.routing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.rpcboot.internal.client.call.ClientCall;

/**
 * Lets one call go to an instance that is out of the choice, to see how it goes: one that
 * may be repeated elsewhere, if one comes in time. Any thread.
 */
final class HalfOpenProbe {

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final RoutingTable ready;

	private final LongSupplier nanoTime;

	private final long openedNanos;

	private final long patienceNanos;

	private final AtomicBoolean taken = new AtomicBoolean();

	/**
	 * For the instance that alone is ready there.
	 * @param wentWell whether one before has: any call may go then
	 */
	HalfOpenProbe(RoutingTable ready, boolean wentWell, LongSupplier nanoTime) {
		this.ready = ready;
		this.nanoTime = nanoTime;
		this.openedNanos = nanoTime.getAsLong();
		this.patienceNanos = wentWell ? 0 : PATIENCE_NANOS;
	}

	/** The instance, if a call is to go there. */
	RoutingTable orElse(ClientCall call, RoutingTable otherwise) {
		boolean fits = !this.taken.get() && call.attempts == null && !call.isOneWay()
				&& (call.method.descriptor.isIdempotent()
						|| this.nanoTime.getAsLong() - this.openedNanos >= this.patienceNanos)
				&& this.ready.forMethod(call.method.number).connections.length > 0;
		return (fits && this.taken.compareAndSet(false, true)) ? this.ready : otherwise;
	}

	/** Whether a call has gone there. */
	boolean isTaken() {
		return this.taken.get();
	}

}
