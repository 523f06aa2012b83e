package io.rpcboot.internal.transport.tls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

import io.rpcboot.internal.net.ClientNetwork;
import io.rpcboot.internal.net.Turns;

/**
 * Limits the TLS handshakes of a server at the same time, because each takes memory
 * before its client is known. Others wait for a place: networks of clients take turns,
 * handshakes of one network keep their order. While one waits, a handshake whose client
 * has not answered for 250 ms loses its place: clients that never complete a handshake do
 * not lock out the others. The network with the most places loses one first (longest
 * queue drop), so that distant clients keep theirs beside it. Any thread.
 * <p>
 * The computations of handshakes run on threads of their own, so that event loops serve
 * the other connections meanwhile. Their time does not count as that of a client.
 */
final class HandshakeLimit {

	static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Time between two looks for silent clients while a handshake waits. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final int most;

	private final Executor threads;

	private final LongSupplier nanoClock;

	/** Number of places that are taken. */
	private int taken;

	/** The same by network; without those that have none. */
	private final Map<String, Integer> takenByNetwork = new HashMap<>();

	/** Places whose client has to answer, with the time since when; longest first. */
	private final Map<Place, Long> unanswered = new LinkedHashMap<>();

	/** Handshakes without a place; networks take turns. */
	private final Turns<Place> waiting = new Turns<>();

	private boolean isLooking;

	/**
	 * Creates a limit.
	 * @param most largest number of handshakes, 1 or more
	 * @param threads runs the computations of handshakes
	 * @param nanoClock the time in nanoseconds
	 */
	HandshakeLimit(int most, Executor threads, LongSupplier nanoClock) {
		this.most = most;
		this.threads = threads;
		this.nanoClock = nanoClock;
	}

	/**
	 * Place of a handshake, which has it, waits for it, or has left it. Runs the
	 * computations of the handshake. Any thread.
	 */
	final class Place implements Executor {

		private final String network;

		private final List<String> turns;

		private final EventExecutor loop;

		private final Consumer<Place> begin;

		private final Consumer<String> lost;

		private boolean isTaken;

		/** Number of computations that wait for a thread or run. */
		private int computations;

		/** True once the handshake has failed; what it still computes is not needed. */
		private boolean isAbandoned;

		private Place(String network, EventExecutor loop, Consumer<Place> begin, Consumer<String> lost) {
			this.network = network;
			this.turns = ClientNetwork.turns(network);
			this.loop = loop;
			this.begin = begin;
			this.lost = lost;
		}

		@Override
		public void execute(Runnable computation) {
			computes(this);
			try {
				HandshakeLimit.this.threads.execute(() -> run(computation));
			}
			catch (RuntimeException | Error ex) {
				computed(this);
				throw ex;
			}
		}

		private void run(Runnable computation) {
			try {
				if (isNeeded(this)) {
					computation.run();
				}
			}
			finally {
				computed(this);
			}
		}

		/** Leaves the place, or the line: the handshake has succeeded. Idempotent. */
		void leave() {
			HandshakeLimit.this.leave(this);
		}

		/**
		 * Leaves the place, or the line: the handshake has failed. What it computes keeps
		 * the place until a thread has skipped it, so that no more computations wait than
		 * there are places. Idempotent.
		 */
		void abandon() {
			HandshakeLimit.this.abandon(this);
		}

		private void onLoop(Runnable task) {
			try {
				if (this.loop.inEventLoop()) {
					task.run();
				}
				else {
					this.loop.execute(task);
				}
			}
			catch (RejectedExecutionException ex) {
				// the loop has ended, and its connections with it
			}
		}

	}

	/**
	 * Takes a place, now or when one is free. Event loop of the connection only.
	 * @param network network of the client
	 * @param loop event loop of the connection
	 * @param begin begins the handshake; on the event loop
	 * @param lost gets the reason if the handshake loses its place; on the event loop
	 */
	Place enter(String network, EventExecutor loop, Consumer<Place> begin, Consumer<String> lost) {
		Place place = new Place(network, loop, begin, lost);
		synchronized (this) {
			this.waiting.add(place.turns, place);
		}
		advance();
		look(loop);
		return place;
	}

	/** Gives places to the handshakes that wait. */
	private void advance() {
		List<Runnable> changes = new ArrayList<>();
		synchronized (this) {
			long now = this.nanoClock.getAsLong();
			while (!this.waiting.isEmpty() && (this.taken < this.most || displace(now, changes))) {
				Place next = Objects.requireNonNull(this.waiting.next());
				take(next);
				this.unanswered.put(next, now);
				changes.add(() -> next.onLoop(() -> next.begin.accept(next)));
			}
		}
		changes.forEach(Runnable::run);
	}

	private void take(Place place) {
		place.isTaken = true;
		this.taken++;
		this.takenByNetwork.merge(place.network, 1, Integer::sum);
	}

	private void free(Place place) {
		place.isTaken = false;
		this.taken--;
		this.takenByNetwork.computeIfPresent(place.network, (network, places) -> (places > 1) ? places - 1 : null);
		this.unanswered.remove(place);
	}

	/** Frees the place of a client that is silent for long enough, if there is one. */
	private boolean displace(long now, List<Runnable> changes) {
		Place displaced = silent(now);
		if (displaced == null) {
			return false;
		}
		free(displaced);
		changes.add(() -> displaced.onLoop(() -> displaced.lost
			.accept("rpc.server.limits.tls-handshakes: all %d places are taken, others wait, and this client is silent"
				.formatted(this.most))));
		return true;
	}

	/** Returns the silent client of the network with the most places; null for none. */
	private @Nullable Place silent(long now) {
		Place result = null;
		int most = 0;
		for (Map.Entry<Place, Long> each : this.unanswered.entrySet()) {
			if (now - each.getValue() < PATIENCE_NANOS) {
				break;
			}
			int places = this.takenByNetwork.getOrDefault(each.getKey().network, 0);
			if (places > most) {
				most = places;
				result = each.getKey();
			}
		}
		return result;
	}

	/** Looks for silent clients while handshakes wait. */
	private void look(EventExecutor loop) {
		synchronized (this) {
			if (this.isLooking || this.waiting.isEmpty()) {
				return;
			}
			this.isLooking = true;
		}
		try {
			loop.schedule(() -> {
				looked();
				advance();
				look(loop);
			}, LOOK_NANOS, TimeUnit.NANOSECONDS);
		}
		catch (Throwable ex) {
			looked();
			throw ex;
		}
	}

	private synchronized void looked() {
		this.isLooking = false;
	}

	private synchronized void computes(Place place) {
		place.computations++;
		this.unanswered.remove(place);
	}

	private synchronized boolean isNeeded(Place place) {
		return !place.isAbandoned;
	}

	/** Ends a computation: the client has to answer, or has gone. */
	private void computed(Place place) {
		synchronized (this) {
			place.computations--;
			if (!place.isTaken) {
				return;
			}
			if (!place.isAbandoned) {
				this.unanswered.put(place, this.nanoClock.getAsLong());
				return;
			}
			if (place.computations > 0) {
				return;
			}
			free(place);
		}
		advance();
	}

	private void abandon(Place place) {
		synchronized (this) {
			place.isAbandoned = true;
			if (place.isTaken && place.computations > 0) {
				this.unanswered.remove(place);
				return;
			}
		}
		leave(place);
	}

	private void leave(Place place) {
		synchronized (this) {
			this.waiting.remove(place.turns, place);
			if (place.isTaken) {
				free(place);
			}
		}
		advance();
	}

}
