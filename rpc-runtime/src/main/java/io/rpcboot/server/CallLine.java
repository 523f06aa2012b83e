package io.rpcboot.server;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The calls of one service that wait for a thread, in the order of their arrival, and the
 * threads that the service has. The links are in the calls. Stands beside call queue,
 * whose lock guards all but the number of threads.
 */
final class CallLine {

	/** A call that waits for less has not waited: a thread was being woken. */
	static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	final ServicePace pace = new ServicePace();

	private final ServiceShare share;

	/** Threads that run a call of this service, as far as the queue counts them. */
	private final AtomicInteger threads = new AtomicInteger();

	private @Nullable ServerCall oldest;

	private @Nullable ServerCall newest;

	private int size;

	/** Calls that came while many were in flight, and are not over yet. */
	private final AtomicInteger crowd = new AtomicInteger();

	CallLine(ServiceShare share) {
		this.share = share;
	}

	/**
	 * A call arrives while many are in flight. Returns false if this service has as many
	 * as it may have. Any thread.
	 */
	boolean joinCrowd() {
		if (this.crowd.incrementAndGet() > this.share.crowd()) {
			this.crowd.decrementAndGet();
			return false;
		}
		return true;
	}

	/** A call that joined is over. Any thread. */
	void leaveCrowd() {
		this.crowd.decrementAndGet();
	}

	/** A thread begins to run calls of this service. Returns false if it may not. */
	boolean enter() {
		while (true) {
			int count = this.threads.get();
			if (count >= this.share.threads()) {
				return false;
			}
			if (this.threads.compareAndSet(count, count + 1)) {
				return true;
			}
		}
	}

	/** A thread that entered goes on with another service, or none. */
	void leave() {
		this.threads.decrementAndGet();
	}

	/** Threads that have entered. */
	int threads() {
		return this.threads.get();
	}

	/** Whether a thread could enter. */
	boolean hasRoom() {
		return this.threads.get() < this.share.threads();
	}

	/** A call begins to wait. */
	void add(ServerCall call) {
		call.queued = true;
		call.older = this.newest;
		if (this.newest == null) {
			this.oldest = call;
		}
		else {
			this.newest.newer = call;
		}
		this.newest = call;
		this.size++;
	}

	/** A call of this line waits no longer. */
	void remove(ServerCall call) {
		if (call.older == null) {
			this.oldest = call.newer;
		}
		else {
			call.older.newer = call.newer;
		}
		if (call.newer == null) {
			this.newest = call.older;
		}
		else {
			call.newer.older = call.older;
		}
		call.older = null;
		call.newer = null;
		call.queued = false;
		this.size--;
	}

	/**
	 * Take the oldest calls out for which nobody waits.
	 * @param now the time
	 * @param past whether to look behind calls that somebody waits for
	 * @param over where they go
	 * @param most how many there may be in it
	 */
	void takeOver(long now, boolean past, List<ServerCall> over, int most) {
		ServerCall call = this.oldest;
		while (call != null && over.size() < most) {
			ServerCall next = call.newer;
			if (isOver(call, now)) {
				over.add(call); // first: there may be no memory for that
				remove(call);
			}
			else if (!past) {
				break;
			}
			call = next;
		}
		ServerCall last = this.newest;
		if (last != null && over.size() < most && isOver(last, now)) { // it is next
			over.add(last);
			remove(last);
		}
	}

	/**
	 * The call that is next: the oldest, unless that has used more than half of the time
	 * that it had, or the newest would have when it has waited for as long. Then first
	 * in, first out would run each call when its time is nearly over; the newest has most
	 * of its time left.
	 */
	@Nullable ServerCall next(long now) {
		ServerCall first = this.oldest;
		ServerCall last = this.newest;
		if (first == null || last == null) {
			return null;
		}
		long waited = now - first.sinceNanos;
		return (waited > had(first) / 2 || waited > had(last) / 2) ? last : first;
	}

	/** Whether the oldest call has waited, and not only for a moment. */
	boolean isSlow(long now) {
		ServerCall first = this.oldest;
		return first != null && now - first.sinceNanos >= SLOW_NANOS;
	}

	private static boolean isOver(ServerCall call, long now) {
		return call.cancelled || now - call.startNanos > call.allowedNanos;
	}

	/** The time that it had when it began to wait. */
	private static long had(ServerCall call) {
		return call.allowedNanos - (call.sinceNanos - call.startNanos);
	}

	@Nullable ServerCall oldest() {
		return this.oldest;
	}

	/** The call that has waited for longest. */
	@Nullable ServerCall takeOldest() {
		ServerCall first = this.oldest;
		if (first != null) {
			remove(first);
		}
		return first;
	}

	int size() {
		return this.size;
	}

}
