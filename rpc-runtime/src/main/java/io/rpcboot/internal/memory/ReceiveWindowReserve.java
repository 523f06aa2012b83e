package io.rpcboot.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Reserves in the account what the other side of a connection may send, and grants it.
 * Stands beside incoming grant, which counts what arrives. Event loop only, but for what
 * is read for people.
 * <p>
 * Every byte of the grant is reserved from its moment until the byte is free again, but
 * for a small share that each connection has without asking:
 * {@code granted - released <= SHARE + reserved}. Example: 10,000 bytes granted, 3,000
 * released, so 7,000 may arrive or be in use; 4,096 are the share, 2,904 are reserved.
 */
abstract class ReceiveWindowReserve implements UnusedGrant {

	/** What every connection may have in any case, in bytes. */
	public static final int SHARE = 4096;

	/** A connection that needs more doubles it at least each time it runs out. */
	private static final long FIRST_WINDOW = 64 * 1024;

	/**
	 * Times what is under way when it runs out: a lone caller then needs no WINDOW each.
	 */
	private static final int BODIES = 4;

	private final MemoryBudget account;

	private final long mostWindow;

	private final Runnable admitted;

	/** By how much the grant is to be ahead of what is free again. */
	private long window = FIRST_WINDOW;

	long granted;

	long received;

	long released;

	/** Released from which on the grant is raised again. */
	long raiseAt;

	private long reserved;

	/** The total that a short frame of the other side needs, or needed. */
	private long shortUntil;

	/** Bytes that the other side has asked for last. */
	private int asked;

	/**
	 * What was asked for and granted, until a long frame has come or it is given back.
	 */
	int owed;

	/** Whether a long frame has come, and took less than is owed. */
	boolean partlyPaid;

	/** Number of those. */
	private long leases;

	/** Bytes of what counts as received that were given back instead. */
	private long yielded;

	private @Nullable Waiter waiter;

	private boolean open;

	ReceiveWindowReserve(MemoryBudget account, long mostWindow, Runnable admitted) {
		this.account = account;
		this.mostWindow = mostWindow;
		this.admitted = admitted;
	}

	/** The other side may send. */
	public final void open() {
		this.open = true;
		this.account.connections().incrementAndGet();
		raise();
	}

	/**
	 * Grant as much ahead as the window and the account allow; give back what is over.
	 */
	public final void raise() {
		if (!this.open) {
			return;
		}
		long target = Math.max(SHARE, Math.min(this.window, this.account.fairShare()));
		long unreserved = target - SHARE - this.reserved;
		if (unreserved > 0) {
			this.reserved += this.account.reserveAhead(unreserved);
		}
		// what long frames have reserved leaves the share to short ones
		long wanted = Math.max(this.released + target, this.received + this.owed + SHARE);
		this.granted = Math.max(this.granted, Math.min(wanted, this.released + SHARE + this.reserved));
		giveBack();
		long quarter = (this.granted - this.released) / 4;
		long missing = this.shortUntil - this.granted;
		this.raiseAt = this.released + Math.max(1, (missing > 0) ? Math.min(missing, quarter) : quarter);
	}

	private void giveBack() {
		long excess = this.reserved - Math.max(0, this.granted - this.released - SHARE);
		if (excess > 0) {
			this.reserved -= excess;
			this.account.release(Direction.INCOMING, excess);
		}
	}

	/**
	 * The other side has a frame that the grant does not cover: the window grows as far
	 * as there is room. A long frame may go then, or what it needs is reserved in turn,
	 * beside what is granted: short ones may use that meanwhile. Whoever has sent as much
	 * before may go before others.
	 * @param size of the frame
	 * @return whether it is long and is granted now
	 */
	public final boolean need(int size) {
		long before = this.granted;
		long wanted = this.received - this.released + size;
		this.window = Math.min(this.mostWindow, Math.max(2 * this.window, BODIES * wanted));
		this.shortUntil = (size <= SHARE) ? this.received + this.owed + size : this.shortUntil;
		raise();
		if (!this.open || size <= SHARE) {
			return false; // the share will do as soon as what is here is free
		}
		if (this.granted - before >= size) { // so much at least, whatever is on the way
			lend(size);
			return true;
		}
		boolean earned = this.received - this.yielded >= size;
		this.asked = size;
		this.waiter = this.account.reserveInTurn(Direction.INCOMING, size, earned, this.admitted);
		return false;
	}

	/**
	 * What was asked for is reserved.
	 * @return whether it is granted; false if nobody wants it any more
	 */
	public final boolean admit() {
		if (this.waiter == null) {
			return false;
		}
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

	/** A frame has come, or was given back, while one is owed. */
	final void paid(long size) {
		this.owed = (int) Math.max(0, this.owed - size);
	}

	/**
	 * The other side will not use a part of what it was granted.
	 * @param bytes count as sent and used
	 * @return false if so much was not granted
	 */
	public final boolean yield(long bytes) {
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

	/** Whether the grant does not cover the last short frame that needed more. */
	final boolean isShort() {
		return this.shortUntil > this.granted;
	}

	/**
	 * Whether the other side has asked for something that was not granted yet, or was and
	 * has not come.
	 * @return true until all of it has come or was given back
	 */
	public final boolean hasAsked() {
		return this.waiter != null || isOwed();
	}

	/**
	 * Whether something was reserved because the other side asked, and has not come.
	 * @return true until all of it has come or was given back
	 */
	final boolean isOwed() {
		return this.owed > 0;
	}

	@Override
	public final long owed() {
		return isOwed() ? this.leases : 0;
	}

	@Override
	public final boolean isPartlyPaid() {
		return this.partlyPaid && isOwed();
	}

	@Override
	public final boolean isWanted() {
		return this.account.isIncomingShort();
	}

	/** The connection has ended, and nothing of what arrived is kept. */
	public final void close() {
		if (!this.open) {
			return;
		}
		this.open = false;
		this.account.connections().decrementAndGet();
		long all = this.reserved;
		if (this.waiter != null && !this.account.cancel(this.waiter)) {
			all += this.asked;
		}
		this.waiter = null;
		this.reserved = 0;
		this.account.release(Direction.INCOMING, all);
	}

}
