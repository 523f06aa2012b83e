package io.rpcboot.internal.client.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.ClientCall;

/**
 * Finds calls of a connection that have been pending for long: they have not failed, and
 * no reply arrives. Outlier detection compares their age with that at other instances.
 * Event loop only, except methods marked "Control thread."
 */
public final class StuckCallDetector {

	/**
	 * Checks after which a pending call is overdue. Checks are at least 250 ms apart, and
	 * the event loop has run between two of them, so neither a pause of this process nor
	 * a busy loop makes a call overdue.
	 */
	private static final int CHECKS = 4;

	private final ClientConnection calls;

	/** Id of the last call that had been sent at each of the last checks. */
	private final long[] sentCalls = new long[CHECKS];

	/** Index of the oldest of these checks. */
	private int oldest;

	/** Id of the newest call that is overdue if it is still pending. */
	private long lastOverdue;

	/** True if a call was overdue at the last check. Any thread reads. */
	private volatile boolean anyOverdue;

	/** True while a check is on its way to the event loop. Set by the control thread. */
	private volatile boolean scheduled;

	StuckCallDetector(ClientConnection calls) {
		this.calls = calls;
	}

	/** Schedules a check if calls are pending. Control thread, periodically. */
	public void check() {
		boolean some = this.anyOverdue || this.calls.pending.size() > 0;
		if (some && !this.scheduled && this.calls.load.compared) {
			this.scheduled = true;
			this.calls.connection.execute(this::count);
		}
	}

	private void count() {
		this.scheduled = false;
		this.lastOverdue = this.sentCalls[this.oldest];
		this.sentCalls[this.oldest] = this.calls.lastCallId;
		this.oldest = (this.oldest + 1) % CHECKS;
		List<ClientCall> overdue = overdue();
		if (this.anyOverdue || !overdue.isEmpty()) {
			long now = System.nanoTime();
			this.calls.load.outcomes.noneOverdue();
			overdue.forEach((call) -> this.calls.load.outcomes.overdue(call.method.number, now - call.startNanos));
			this.anyOverdue = !overdue.isEmpty();
		}
	}

	private List<ClientCall> overdue() {
		List<ClientCall> result = new ArrayList<>();
		this.calls.pending.forEach((call) -> {
			if (isOverdue(call)) {
				result.add(call);
			}
		});
		return result;
	}

	/**
	 * Moves the overdue calls of repeatable methods to other instances after this one was
	 * ejected. Control thread.
	 * @param methods numbers of the methods on the wire
	 */
	public void leaveOverdue(Set<Integer> methods) {
		this.calls.connection
			.execute(() -> this.calls.drain
				.leave((call) -> isOverdue(call) && call.method.isRepeatable && methods.contains(call.method.number),
						RedispatchReason.HEDGED)
				.forEach(this.calls::cancel));
	}

	private boolean isOverdue(ClientCall call) {
		return call.id() <= this.lastOverdue;
	}

}
