package io.rpcboot.internal.client.reference;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.internal.client.call.ClientCall;

/** Calls that pause before their next attempt. Control thread. */
final class BackoffQueue {

	private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final int MAX_DOUBLINGS = 7;

	private final ScheduledExecutorService control;

	private final Consumer<ClientCall> next;

	private final Set<ClientCall> calls = new HashSet<>();

	/**
	 * Creates an empty queue.
	 * @param next takes a call after its pause
	 */
	BackoffQueue(ScheduledExecutorService control, Consumer<ClientCall> next) {
		this.control = control;
		this.next = next;
	}

	/**
	 * Returns the pause of a call that found no instance for the nth time: 0, then 5 ms *
	 * 2^(n - 2), at most 640 ms.
	 */
	static long pauseNanos(int times) {
		return (times == 1) ? 0 : FIRST_PAUSE_NANOS << Math.min(times - 2, MAX_DOUBLINGS);
	}

	/** Holds a call for a pause, at most until its deadline. */
	void add(ClientCall call, long pauseNanos) {
		this.calls.add(call);
		this.control.schedule(() -> {
			if (this.calls.remove(call)) {
				this.next.accept(call);
			}
		}, Math.min(pauseNanos, Math.max(1, call.remainingNanos())), TimeUnit.NANOSECONDS);
	}

	/** Ends all pauses. */
	void resumeAll() {
		List<ClientCall> resumed = List.copyOf(this.calls);
		this.calls.clear();
		resumed.forEach(this.next);
	}

}
