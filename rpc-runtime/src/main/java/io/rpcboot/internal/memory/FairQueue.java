package io.rpcboot.internal.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Reservations of one direction that wait, by connection. Only with the lock of the
 * budget.
 * <p>
 * Two bands of connections alternate. Established ones have sent the bytes of their
 * request once before, or read their results. They share their turns by bytes, as in
 * deficit round robin (Shreedhar and Varghese, SIGCOMM 1995) with a quantum of one byte:
 * the next one is that with the least {@code finish = max(now, its last finish) + bytes},
 * and {@code now} is the last finish that had its turn. New connections have shown
 * nothing. One of their turns is that of the smallest request, of equal ones the newest,
 * the other one that of the connection that has waited longest. So a thousand hostile
 * peers do not keep a new one out by their number, and large requests are not starved by
 * small ones. A connection keeps its turn until there is room.
 * <p>
 * A part of the memory is a pool for established connections. They overtake the one in
 * turn, each with at most half of what is left of the pool, which is refilled when their
 * bytes are released. So there is always room for a small request in it, even while peers
 * hold everything else. New ones with small requests may overtake, too, by at most an
 * eighth of the pool in each turn. The one in turn may enter both parts, and is counted
 * there.
 */
final class FairQueue {

	/** Divisor of the pool for new connections in one turn. */
	private static final int NEW = 8;

	private static final Comparator<Place> BY_AGE = Comparator.comparingLong((each) -> each.number);

	private static final Comparator<Place> BY_FINISH = Comparator.<Place>comparingLong((each) -> each.finish)
		.thenComparing(BY_AGE);

	/**
	 * By the number of bits of the bytes, of equal ones the newest first, at its first
	 * turn.
	 */
	private static final Comparator<Place> BY_SIZE = Comparator
		.<Place>comparingInt((each) -> -Long.numberOfLeadingZeros(each.first().bytes))
		.thenComparingLong((each) -> -each.newness);

	private final Map<Object, Place> places = new HashMap<>();

	private final TreeSet<Place> established = new TreeSet<>(BY_FINISH);

	private final TreeSet<Place> smallest = new TreeSet<>(BY_SIZE);

	private final TreeSet<Place> oldest = new TreeSet<>(BY_AGE);

	/** Bytes that are kept for established connections. */
	private long kept;

	/** Bytes of the pool that are in use. */
	private long passed;

	/** Bytes with which new connections have overtaken the one in turn. */
	private long passedInTurn;

	/** Connection in turn, null until it is chosen. */
	private @Nullable Place next;

	private int turn;

	/** Last finish that had its turn. */
	private long now;

	/** Number of places so far. */
	private long joined;

	/** Reservations of one connection, in their order. */
	private static final class Place {

		final Set<Waiter> waiters = new LinkedHashSet<>();

		long number;

		/** The number before the first turn, then the negative number. */
		long newness;

		long finish;

		Waiter first() {
			return this.waiters.iterator().next();
		}

	}

	/**
	 * Sets the bytes that are kept for established connections; 0 before. Only before the
	 * first use.
	 */
	void keep(long bytes) {
		this.kept = bytes;
	}

	long kept() {
		return this.kept;
	}

	boolean isEmpty() {
		return this.places.isEmpty();
	}

	/** Adds a waiter behind the others of its connection. */
	void add(Waiter waiter) {
		Place place = this.places.computeIfAbsent(waiter.owner, (owner) -> new Place());
		place.waiters.add(waiter);
		if (place.waiters.size() == 1) {
			join(place, 1);
		}
	}

	/** Removes a waiter. Returns false if it does not wait. */
	boolean remove(Waiter waiter) {
		Place place = this.places.get(waiter.owner);
		if (place == null || !place.waiters.contains(waiter)) {
			return false;
		}
		if (place.first() != waiter) {
			return place.waiters.remove(waiter);
		}
		this.established.remove(place);
		this.smallest.remove(place);
		this.oldest.remove(place);
		place.waiters.remove(waiter);
		if (this.next == place) {
			this.next = null;
		}
		if (place.waiters.isEmpty()) {
			this.places.remove(waiter.owner);
		}
		else {
			join(place, -1);
		}
		return true;
	}

	/** Adds a connection to its band, behind the others. */
	private void join(Place place, int sign) {
		place.number = ++this.joined;
		place.newness = sign * place.number;
		place.finish = Math.max(this.now, place.finish) + place.first().bytes;
		if (place.first().earned) {
			this.established.add(place);
		}
		else {
			this.smallest.add(place);
			this.oldest.add(place);
		}
	}

	/** Returns the waiter that is in turn, null without one. */
	@Nullable Waiter next() {
		if (this.next == null && !isEmpty()) {
			boolean ofNew = this.established.isEmpty() || (this.turn % 2 != 0 && !this.oldest.isEmpty());
			TreeSet<Place> band = !ofNew ? this.established : (this.turn % 4 < 2) ? this.smallest : this.oldest;
			this.next = band.first();
		}
		return (this.next != null) ? this.next.first() : null;
	}

	/**
	 * Returns the largest part of the direction for the waiter in turn.
	 * @param most largest part of the direction
	 */
	long mostInTurn(long most) {
		return most - this.kept + this.passed;
	}

	/** Removes the waiter in turn, which has its memory. The next turn begins. */
	void admit(Waiter waiter) {
		Place place = Objects.requireNonNull(this.places.get(waiter.owner));
		if (waiter.earned) {
			this.now = Math.max(this.now, place.finish);
		}
		this.turn++;
		this.passedInTurn = 0;
		remove(waiter);
	}

	/** Returns a waiter that may overtake the one in turn, null without one. */
	@Nullable Waiter passing() {
		Waiter known = first(this.established);
		if (known != null && known.bytes <= (this.kept - this.passed) / 2) {
			return known;
		}
		Waiter small = first(this.smallest);
		return (small != null && small.bytes <= this.kept / NEW - this.passedInTurn) ? small : null;
	}

	private static @Nullable Waiter first(TreeSet<Place> band) {
		return band.isEmpty() ? null : band.first().first();
	}

	/** Removes a waiter that has overtaken the one in turn and has its memory. */
	void pass(Waiter waiter) {
		if (waiter.earned) {
			this.passed += waiter.bytes;
			waiter.passed = true;
		}
		else {
			this.passedInTurn += waiter.bytes;
		}
		remove(waiter);
	}

	/** Takes bytes back of waiters that have overtaken others. */
	void returned(long bytes) {
		this.passed -= bytes;
	}

}
