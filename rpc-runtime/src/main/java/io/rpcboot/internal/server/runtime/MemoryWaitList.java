package io.rpcboot.internal.server.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.Waiter;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for memory without a thread. Each is run again once: when there is
 * memory, or to its end when it is cancelled, its connection closes or its time is over;
 * then it leaves the account's line, so that it delays no other. Any thread.
 */
final class MemoryWaitList {

	private final MemoryBudget account;

	/** Runs a call that has waited. */
	private final Consumer<ScheduledCall> runner;

	private final Map<ScheduledCall, Place> places = new ConcurrentHashMap<>();

	MemoryWaitList(MemoryBudget account, Consumer<ScheduledCall> runner) {
		this.account = account;
		this.runner = runner;
	}

	/**
	 * Run a call again when its result has so much memory, in its turn.
	 * @param earned whether that is every other one
	 */
	void untilReserved(ScheduledCall call, Object turn, boolean earned, long bytes) {
		Place place = new Place(call, bytes);
		this.places.put(call, place);
		place.taken(this.account.reserveInTurnOf(turn, bytes, earned, place));
	}

	/** A call may have been cancelled. */
	void giveUp(ScheduledCall call) {
		Place place = this.places.get(call);
		if (place != null) {
			place.giveUp();
		}
	}

	/** Look for calls whose time is over. */
	void giveUpLate() {
		this.places.values().forEach(Place::giveUp);
	}

	/** Calls that wait. */
	int size() {
		return this.places.size();
	}

	/** Where a call waits; run when its turn has come. */
	private final class Place implements Runnable {

		private final ScheduledCall call;

		private final long bytes;

		/** Its place in the account's line; null until it is known. */
		private volatile @Nullable Waiter waiter;

		Place(ScheduledCall call, long bytes) {
			this.call = call;
			this.bytes = bytes;
		}

		/** The turn may have come already; so may the end of the call. */
		void taken(Waiter taken) {
			this.waiter = taken;
			giveUp();
		}

		@Override
		public void run() {
			this.call.reserved(this.bytes);
			runCall();
		}

		void giveUp() {
			Waiter taken = this.waiter;
			boolean isOver = this.call.cancelled || this.call.isTimeOver();
			if (isOver && taken != null && MemoryWaitList.this.account.cancel(taken)) {
				runCall();
			}
		}

		private void runCall() {
			MemoryWaitList.this.places.remove(this.call, this);
			MemoryWaitList.this.runner.accept(this.call);
		}

	}

}
