package io.rpcboot.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * The window of bytes that the peer of a connection may send: totals since the connection
 * began, which only rise. Event loop only; other threads may read older totals.
 * <p>
 * Granted bytes are reserved in the memory budget until they are released, except for a
 * small share that each connection has without a reservation:
 * {@code granted - released <= SHARE + reserved}. Example: 10,000 bytes granted, 3,000
 * released, so 7,000 may arrive or be in use; 4,096 are the share, 2,904 are reserved.
 */
public final class ReceiveWindow implements UnusedGrant {

	/** Bytes that every connection may send without a reservation. */
	public static final int SHARE = 4096;

	/** First window in bytes; each time it is too small it doubles at least. */
	private static final long FIRST_WINDOW = 64 * 1024;

	/**
	 * Factor from the bytes in use to the window when it was too small, so that a single
	 * caller does not need a WINDOW frame per call.
	 */
	private static final int BODIES = 4;

	private final MemoryBudget account;

	private final long mostWindow;

	private final Runnable admitted;

	/** Wanted distance from the released total to the granted total. */
	private long window = FIRST_WINDOW;

	private long granted;

	private long received;

	private long released;

	/** Released total from which on the window is raised again. */
	private long raiseAt;

	private long reserved;

	/** Granted total that the last short frame with a NEED requires. */
	private long shortUntil;

	/** Bytes of the last request of a long frame. */
	private int asked;

	/** Requested and granted bytes that have neither arrived nor been returned. */
	private int owed;

	/** True if a long frame has arrived that was shorter than the request. */
	private boolean partlyPaid;

	/** Number of granted requests. */
	private long leases;

	/** Reserved bytes with which a request has overtaken others. */
	private long passed;

	/** Total of bytes that the peer returned; counted as received, too. */
	private long yielded;

	private @Nullable Waiter waiter;

	private boolean open;

	/**
	 * Creates an empty window.
	 * @param account budget for reservations
	 * @param mostWindow largest number of bytes that are granted ahead
	 * @param admitted run once by any thread when a {@linkplain #need request} is
	 * reserved; {@link #admit()} must follow on the event loop
	 */
	public ReceiveWindow(MemoryBudget account, long mostWindow, Runnable admitted) {
		this.account = account;
		this.mostWindow = mostWindow;
		this.admitted = admitted;
	}

	/** Opens the window. */
	public void open() {
		this.open = true;
		this.account.connections().incrementAndGet();
		raise();
	}

	/**
	 * Returns true if a body fits into the window.
	 * @param size length of the body
	 * @return false if it was not granted
	 */
	public boolean covers(int size) {
		return this.received + size <= this.granted;
	}

	/**
	 * Counts a body as received.
	 * @param size length of the body
	 * @return false, and the body does not count, if it was not granted
	 */
	public boolean takes(int size) {
		if (this.received + size > this.granted) {
			return false;
		}
		this.received += size;
		if (this.owed != 0 && size > SHARE) {
			paid(size);
			this.partlyPaid = true;
		}
		return true;
	}

	/**
	 * Releases bytes.
	 * @param bytes number of bytes
	 * @return true if the window is to be raised
	 */
	public boolean release(long bytes) {
		this.released += bytes;
		return this.released >= this.raiseAt;
	}

	/**
	 * Returns how many bytes must be released before the event loop is woken to raise the
	 * window: the distance to the next raise if the peer waits, otherwise twice of that.
	 * @return 1 or more
	 */
	public long untilWake() {
		long untilRaise = Math.max(1, this.raiseAt - this.released);
		return (this.shortUntil > this.granted) ? untilRaise : 2 * untilRaise;
	}

	/**
	 * Raises the window as far as its target and the budget allow; releases reservations
	 * that are not needed.
	 */
	public void raise() {
		if (!this.open) {
			return;
		}
		long target = Math.max(SHARE, Math.min(this.window, this.account.fairShare()));
		long unreserved = target - SHARE - this.reserved;
		if (unreserved > 0) {
			this.reserved += this.account.reserveAhead(unreserved);
		}
		// a long frame has its reservation, so the share is left to short frames
		long wanted = Math.max(this.released + target, this.received + this.owed + SHARE);
		this.granted = Math.max(this.granted, Math.min(wanted, this.released + SHARE + this.reserved));
		releaseExcess();
		long quarter = (this.granted - this.released) / 4;
		long missing = this.shortUntil - this.granted;
		this.raiseAt = this.released + Math.max(1, (missing > 0) ? Math.min(missing, quarter) : quarter);
	}

	private void releaseExcess() {
		long excess = this.reserved - Math.max(0, this.granted - this.released - SHARE);
		if (excess > 0) {
			this.reserved -= excess;
			returnPassed(excess);
			this.account.release(Direction.INCOMING, excess);
		}
	}

	private void returnPassed(long most) {
		if (this.passed > 0) {
			long bytes = Math.min(most, this.passed);
			this.passed -= bytes;
			this.account.returnPassed(Direction.INCOMING, bytes);
		}
	}

	/**
	 * Handles the request of the peer for a frame that does not fit into the window. The
	 * window grows as far as there is room. A long frame is granted at once, or its bytes
	 * are reserved in turn, in addition to the window, which short frames may use
	 * meanwhile. A peer that has already sent that number of bytes may overtake others.
	 * @param size length of the body of the frame
	 * @return true if the frame is long and granted now
	 */
	public boolean need(int size) {
		long before = this.granted;
		long wanted = this.received - this.released + size;
		this.window = Math.min(this.mostWindow, Math.max(2 * this.window, BODIES * wanted));
		this.shortUntil = (size <= SHARE) ? this.received + this.owed + size : this.shortUntil;
		raise();
		if (!this.open || size <= SHARE) {
			return false; // the share suffices as soon as bytes are released
		}
		if (this.granted - before >= size) { // at least, whatever is on the way
			lend(size);
			return true;
		}
		boolean earned = this.received - this.yielded >= size;
		this.asked = size;
		this.waiter = this.account.reserveInTurnOf(this, Direction.INCOMING, size, earned,
				(reserved) -> this.admitted.run());
		return false;
	}

	/**
	 * Grants the request whose bytes are reserved now.
	 * @return false if the connection is closed
	 */
	public boolean admit() {
		if (this.waiter == null) {
			return false;
		}
		this.passed += this.waiter.passed ? this.asked : 0;
		this.waiter = null;
		this.reserved += this.asked;
		this.granted += this.asked;
		lend(this.asked);
		return true;
	}

	private void lend(int size) {
		this.owed = size;
		this.partlyPaid = false;
		this.leases++;
	}

	/** Counts received or returned bytes of a request. */
	private void paid(long size) {
		this.owed = (int) Math.max(0, this.owed - size);
	}

	/**
	 * Takes a part of the window back that the peer returns.
	 * @param bytes count as received and released
	 * @return false if the peer returns more than it was granted
	 */
	public boolean yield(long bytes) {
		if (bytes < 0 || bytes > this.granted - this.received) {
			return false;
		}
		this.received += bytes;
		this.released += bytes;
		this.yielded += bytes;
		paid(bytes);
		this.window = SHARE;
		raise();
		return true;
	}

	/**
	 * Returns true while a request waits, or its bytes have neither arrived nor been
	 * returned.
	 * @return false without such a request
	 */
	public boolean hasAsked() {
		return this.waiter != null || this.owed > 0;
	}

	/**
	 * Returns true while a request waits for memory.
	 * @return false if there is none, or it is granted
	 */
	public boolean isWaiting() {
		return this.waiter != null;
	}

	/**
	 * Returns the number of granted requests.
	 * @return 0 or more
	 */
	public long leases() {
		return this.leases;
	}

	@Override
	public long owed() {
		return (this.owed > 0) ? this.leases : 0;
	}

	@Override
	public boolean isPartlyPaid() {
		return this.partlyPaid && this.owed > 0;
	}

	@Override
	public boolean isWanted() {
		return this.account.isIncomingShort();
	}

	/**
	 * Hands the reservation of a received body over to its call, which outlives the
	 * connection and releases it. Only right before {@link #close()}.
	 * @param size length of the body
	 * @return false if the window has not reserved the bytes
	 */
	public boolean keep(int size) {
		if (size > this.reserved) {
			return false;
		}
		this.reserved -= size;
		return true;
	}

	/** Releases all reservations of the closed connection. */
	public void close() {
		if (!this.open) {
			return;
		}
		this.open = false;
		this.account.connections().decrementAndGet();
		long all = this.reserved;
		if (this.waiter != null && !this.account.cancel(this.waiter)) {
			all += this.asked;
			this.passed += this.waiter.passed ? this.asked : 0;
		}
		this.waiter = null;
		this.reserved = 0;
		returnPassed(this.passed);
		this.account.release(Direction.INCOMING, all);
	}

	/**
	 * Returns the total that the peer may send.
	 * @return bytes
	 */
	public long granted() {
		return this.granted;
	}

	/**
	 * Returns the bytes that are reserved in the budget.
	 * @return bytes
	 */
	public long reserved() {
		return this.reserved;
	}

	/**
	 * Returns the total that has arrived.
	 * @return bytes
	 */
	public long received() {
		return this.received;
	}

}
