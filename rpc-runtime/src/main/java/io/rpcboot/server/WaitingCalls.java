package io.rpcboot.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.internal.memory.MemoryAccount.Direction;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for memory without a thread. Each is run again once: when there is
 * memory, or to its end when it is cancelled, its connection closes or its time is over;
 * then it leaves the account's line, so that it delays no other. Any thread.
 */
final class WaitingCalls {

	private final MemoryAccount account;

	private final ServerRuntime server;

	private final Map<ServerCall, Place> places = new ConcurrentHashMap<>();

	WaitingCalls(MemoryAccount account, ServerRuntime server) {
		this.account = account;
		this.server = server;
	}

	/** Run a call again when the account is not overdrawn. */
	void untilNotOverdrawn(ServerCall call) {
		Place place = new Place(call, 0);
		this.places.put(call, place);
		this.account.whenNotOverdrawn(place);
		place.taken(() -> this.account.withdraw(place));
	}

	/** Run a call again when its result has so much memory. */
	void untilReserved(ServerCall call, long bytes) {
		Place place = new Place(call, bytes);
		this.places.put(call, place);
		place.taken(this.account.reserveInTurn(Direction.OUTGOING, bytes, place)::cancel);
	}

	/** A call may have been cancelled. */
	void giveUp(ServerCall call) {
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

		private final ServerCall call;

		private final long bytes;

		/** Says whether the turn has not come and never will; null until it may come. */
		private volatile @Nullable BooleanSupplier leave;

		Place(ServerCall call, long bytes) {
			this.call = call;
			this.bytes = bytes;
		}

		/** The turn may have come already; so may the end of the call. */
		void taken(BooleanSupplier how) {
			this.leave = how;
			giveUp();
		}

		@Override
		public void run() {
			if (this.bytes > 0) {
				this.call.memory().reserved(this.bytes);
			}
			runCall();
		}

		void giveUp() {
			BooleanSupplier how = this.leave;
			boolean isOver = this.call.isCancelled() || this.call.isTimeOver();
			if (isOver && how != null && how.getAsBoolean()) {
				runCall();
			}
		}

		/** It may wait again. */
		private void runCall() {
			WaitingCalls.this.places.remove(this.call, this);
			WaitingCalls.this.server.runnerOf(this.call.method().dispatch()).execute(this.call);
		}

	}

}
