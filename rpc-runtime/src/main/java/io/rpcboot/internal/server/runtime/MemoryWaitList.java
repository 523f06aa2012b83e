package io.rpcboot.internal.server.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.Waiter;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for memory without a thread. Each is run again once: when its memory is
 * reserved, or when it is cancelled, its connection closes or its deadline passes. In the
 * last cases it leaves the queue of the memory budget first. Any thread.
 */
final class MemoryWaitList {

	private final MemoryBudget budget;

	/** Runs a call that has waited. */
	private final Consumer<ScheduledCall> runner;

	private final Map<ScheduledCall, Entry> entries = new ConcurrentHashMap<>();

	MemoryWaitList(MemoryBudget budget, Consumer<ScheduledCall> runner) {
		this.budget = budget;
		this.runner = runner;
	}

	/**
	 * Runs a call again when memory for its response is reserved.
	 * @param turn calls of the same turn are first in, first out; turns alternate
	 * @param earned true to get every other turn
	 * @param bytes memory to reserve
	 */
	void untilReserved(ScheduledCall call, Object turn, boolean earned, long bytes) {
		Entry entry = new Entry(call, bytes);
		this.entries.put(call, entry);
		@Nullable Waiter waiter = null;
		try {
			waiter = this.budget.reserveInTurnOf(turn, bytes, earned, entry);
		}
		finally {
			if (waiter == null) { // memory has ended; the call fails
				this.entries.remove(call);
			}
		}
		entry.taken(waiter);
	}

	/** Runs a call again if it was cancelled. */
	void giveUp(ScheduledCall call) {
		Entry entry = this.entries.get(call);
		if (entry != null) {
			entry.giveUp();
		}
	}

	/** Runs the calls again whose deadlines have passed. */
	void giveUpLate() {
		this.entries.values().forEach(Entry::giveUp);
	}

	/** Returns the number of waiting calls. */
	int size() {
		return this.entries.size();
	}

	/** Place of a call in the queue; called when its memory is reserved. */
	private final class Entry implements Consumer<Waiter> {

		private final ScheduledCall call;

		private final long bytes;

		/** Place in the queue of the memory budget; null until it is known. */
		private volatile @Nullable Waiter waiter;

		Entry(ScheduledCall call, long bytes) {
			this.call = call;
			this.bytes = bytes;
		}

		/** Sets the entry. The memory may be reserved, or the call cancelled, before. */
		void taken(Waiter taken) {
			this.waiter = taken;
			giveUp();
		}

		@Override
		public void accept(Waiter admitted) {
			this.call.reserved(this.bytes, admitted.passedBytes());
			runCall();
		}

		void giveUp() {
			Waiter taken = this.waiter;
			boolean isOver = this.call.cancelled || this.call.isTimeOver();
			if (isOver && taken != null && MemoryWaitList.this.budget.cancel(taken)) {
				runCall();
			}
		}

		private void runCall() {
			MemoryWaitList.this.entries.remove(this.call, this);
			MemoryWaitList.this.runner.accept(this.call);
		}

	}

}
