package io.rpcboot.internal.client.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.transport.frame.CallTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of a connection that have been under way for long: nothing has failed, and
 * nothing comes. Whether that is much longer than elsewhere is for others to say. Event
 * loop only, but for what says otherwise.
 */
public final class StuckCallDetector {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	/**
	 * A call that was sent before so many looks is. They are a quarter of a second apart
	 * or more, each on a loop that has run since the last one, so that neither a pause of
	 * this process nor a busy loop makes a call old.
	 */
	private static final int LOOKS = 4;

	private final ClientConnectionBase calls;

	private final CallTable<ClientCall> pending;

	/** The last call that was sent before each of the last looks. */
	private final long[] sent = new long[LOOKS];

	/** Place of the oldest of these looks. */
	private int oldest;

	/** The last call that is overdue, unless it has ended. */
	private long last;

	/** Whether any was at the last look. Any thread reads. */
	private volatile boolean any;

	/** Whether a look is on its way; set by the control thread. */
	private volatile boolean asked;

	StuckCallDetector(ClientConnectionBase calls, CallTable<ClientCall> pending) {
		this.calls = calls;
		this.pending = pending;
	}

	/** Look, if there is something to see. Control thread, now and then. */
	public void look() {
		boolean some = this.any || this.pending.size() > 0;
		if (some && !this.asked && this.calls.compared) {
			this.asked = true;
			this.calls.connection.execute(this::count);
		}
	}

	private void count() {
		this.asked = false;
		this.last = this.sent[this.oldest];
		this.sent[this.oldest] = this.calls.sentCalls;
		this.oldest = (this.oldest + 1) % LOOKS;
		List<ClientCall> all = overdue();
		if (this.any || !all.isEmpty()) {
			long now = System.nanoTime();
			this.calls.tallies().noneOverdue();
			all.forEach((call) -> this.calls.tallies().overdue(call.method.number, now - call.startNanos));
			this.any = !all.isEmpty();
		}
	}

	private List<ClientCall> overdue() {
		List<ClientCall> all = new ArrayList<>();
		this.pending.forEach((call) -> {
			if (call.id() <= this.last) {
				all.add(call);
			}
		});
		return all;
	}

	/**
	 * The instance is out: calls that may be made once more go to another one, too.
	 * Control thread.
	 * @param methods which ones, by their numbers on the wire
	 */
	public void leave(Set<Integer> methods) {
		this.calls.connection.execute(() -> {
			List<ClientCall> all = overdue();
			all.removeIf((call) -> !call.method.isRepeatable || !methods.contains(call.method.number));
			if (!all.isEmpty()) {
				hedge(all);
			}
		});
	}

	/** Only the control thread sends calls twice, so that none goes three times. */
	private void hedge(List<ClientCall> all) {
		try {
			this.calls.client.control()
				.execute(() -> all.stream().allMatch((call) -> call.reference.hedgesOverdue(call)));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The client is closed", ex);
		}
	}

}
