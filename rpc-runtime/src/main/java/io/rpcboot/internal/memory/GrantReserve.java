package io.rpcboot.internal.memory;

import io.rpcboot.internal.memory.MemoryAccount.Direction;
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
abstract class GrantReserve implements Lease {

	/** What every connection may have in any case, in bytes. */
	public static final int SHARE = 4096;

	/** A connection that needs more doubles it at least each time it runs out. */
	private static final long FIRST_WINDOW = 64 * 1024;

	/**
	 * Times what is under way when it runs out: a lone caller then needs no WINDOW each.
	 */
	private static final int BODIES = 4;

	private final MemoryAccount account;

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

	/** The total that the other side has asked for, 0 for none. */
	private long needed;

	private long asked;

	/** Bytes of what counts as received that were given back instead. */
	private long yielded;

	private MemoryAccount.@Nullable Waiter waiter;

	private boolean open;

	GrantReserve(MemoryAccount account, long mostWindow, Runnable admitted) {
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
		long missing = target - SHARE - this.reserved;
		if (missing > 0) {
			this.reserved += this.account.reserveAhead(missing);
		}
		this.granted = Math.max(this.granted, this.released + Math.min(target, SHARE + this.reserved));
		giveBack();
		this.raiseAt = this.released + Math.max(1, (this.granted - this.released) / 4);
		if (this.waiter != null && this.needed <= this.granted && this.waiter.cancel()) {
			this.waiter = null;
		}
	}

	private void giveBack() {
		long excess = this.reserved - Math.max(0, this.granted - this.released - SHARE);
		if (excess > 0) {
			this.reserved -= excess;
			this.account.release(Direction.INCOMING, excess);
		}
	}

	/**
	 * The other side has a frame that the grant does not cover. What the window does not
	 * give is reserved in turn; whoever has sent as much before may go before others.
	 * @param total what the grant must reach
	 */
	public final void need(long total) {
		if (!this.open || total <= this.granted) {
			return;
		}
		this.window = Math.min(this.mostWindow, Math.max(2 * this.window, BODIES * (total - this.released)));
		raise();
		this.needed = total;
		ask();
	}

	private void ask() {
		if (this.needed > this.granted && this.waiter == null) {
			this.asked = this.needed - this.granted;
			boolean earned = this.received - this.yielded >= this.asked;
			this.waiter = this.account.reserveInTurn(Direction.INCOMING, this.asked, earned, this.admitted);
		}
	}

	/**
	 * What was asked for is reserved.
	 * @return whether the grant was raised; false if nobody wants it any more
	 */
	public final boolean admit() {
		if (this.waiter == null) {
			return false;
		}
		long before = this.granted;
		this.waiter = null;
		this.reserved += this.asked;
		this.granted = Math.max(before, Math.min(this.needed, this.released + SHARE + this.reserved));
		giveBack();
		ask(); // the other side may have asked for more meanwhile
		return this.granted > before;
	}

	/**
	 * The other side will not use a part of what it was granted.
	 * @param total counts as sent and used
	 * @return false if so much was never granted
	 */
	public final boolean yield(long total) {
		if (total > this.granted) {
			return false;
		}
		if (total > this.received) {
			this.released += total - this.received;
			this.yielded += total - this.received;
			this.received = total;
		}
		this.needed = 0;
		this.window = SHARE;
		raise();
		return true;
	}

	/**
	 * Whether something was reserved because the other side asked, and has not come.
	 * @return true until all of it has come or was given back
	 */
	public final boolean isOwed() {
		return this.needed > this.received && this.needed <= this.granted;
	}

	@Override
	public final long owed() {
		return isOwed() ? this.needed + this.received : 0;
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
		if (this.waiter != null && !this.waiter.cancel()) {
			all += this.asked;
		}
		this.waiter = null;
		this.reserved = 0;
		this.account.release(Direction.INCOMING, all);
	}

}
