package io.rpcboot.internal.server.runtime;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.Waiter;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for memory without a thread, or until another call of their method is
 * answered. Each is run again once: then, or when it is cancelled, its connection closes
 * or its deadline passes. In the last cases it leaves its queue first. Any thread.
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
		Waiter waiter = this.budget.reserveInTurnOf(turn, Direction.OUTGOING, bytes, earned, entry);
		entry.taken(() -> this.budget.cancel(waiter));
	}

	/**
	 * Runs a call again when another one of its method is answered.
	 * @param most calls of the method that may run
	 */
	void untilAnswered(ScheduledCall call, long most) {
		Entry entry = new Entry(call, 0);
		if (call.method.results.await(call, most)) {
			entry.taken(() -> call.method.results.leave(call));
		}
		else {
			entry.runCall();
		}
	}

	/** Runs calls again that have waited for others. */
	void runAgain(List<ScheduledCall> calls) {
		for (ScheduledCall each : calls) {
			this.entries.remove(each);
			this.runner.accept(each);
		}
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

	/** Place of a call in a queue; called when its memory is reserved. */
	private final class Entry implements Consumer<Waiter> {

		private final ScheduledCall call;

		private final long bytes;

		/** Leaves the queue, false if the call has left it; null until it waits. */
		private volatile @Nullable BooleanSupplier leave;

		Entry(ScheduledCall call, long bytes) {
			this.call = call;
			this.bytes = bytes;
			MemoryWaitList.this.entries.put(call, this);
		}

		/** Waits. The call may have been run again, or cancelled, before. */
		void taken(BooleanSupplier leaves) {
			this.leave = leaves;
			giveUp();
		}

		@Override
		public void accept(Waiter admitted) {
			this.call.reserved(this.bytes, admitted.passedBytes());
			runCall();
		}

		void giveUp() {
			BooleanSupplier leaves = this.leave;
			boolean isOver = this.call.cancelled || this.call.isTimeOver();
			if (isOver && leaves != null && leaves.getAsBoolean()) {
				runCall();
			}
		}

		private void runCall() {
			runAgain(List.of(this.call));
		}

	}

}
