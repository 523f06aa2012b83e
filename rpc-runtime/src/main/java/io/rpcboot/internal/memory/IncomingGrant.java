package io.rpcboot.internal.memory;

import io.rpcboot.internal.memory.MemoryAccount.Direction;
import org.jspecify.annotations.Nullable;

/**
 * What the other side of a connection may send, in bytes: a total since the connection
 * began, which only rises. Stands beside server connection and client connection. Event
 * loop only, but for what is read for people.
 * <p>
 * Every byte of it is reserved in the account from the moment of the grant until it is
 * free again, but for a small share that each connection has without asking:
 * {@code granted - released <= SHARE + reserved}. Example: 10,000 bytes granted, 3,000
 * released, so 7,000 may arrive or be in use; 4,096 are the share, 2,904 are reserved.
 */
public final class IncomingGrant {

	/** What every connection may have in any case, in bytes. */
	public static final int SHARE = 4096;

	/** A connection that needs more doubles it each time it runs out. */
	private static final long FIRST_WINDOW = 64 * 1024;

	private final MemoryAccount account;

	private final long mostWindow;

	private final Runnable admitted;

	/** By how much the grant is to be ahead of what is free again. */
	private long window = FIRST_WINDOW;

	private long granted;

	private long received;

	private long released;

	/** Released from which on the grant is raised again. */
	private long raiseAt;

	private long reserved;

	/** The total that the other side has asked for, 0 for none. */
	private long needed;

	private long asked;

	private MemoryAccount.@Nullable Waiter waiter;

	private boolean open;

	/**
	 * Create a grant of nothing.
	 * @param account where it is reserved
	 * @param mostWindow most bytes to be granted ahead
	 * @param admitted run once when what the other side {@linkplain #need needs} is
	 * reserved, by any thread: {@link #admit()} must follow on the event loop
	 */
	public IncomingGrant(MemoryAccount account, long mostWindow, Runnable admitted) {
		this.account = account;
		this.mostWindow = mostWindow;
		this.admitted = admitted;
	}

	/** The other side may send. */
	public void open() {
		this.open = true;
		this.account.join();
		raise();
	}

	/**
	 * Whether a body is within the grant.
	 * @param size its length
	 * @return whether it may come
	 */
	public boolean covers(int size) {
		return this.received + size <= this.granted;
	}

	/**
	 * A body has arrived.
	 * @param size its length
	 * @return false if it was not granted; it does not count then
	 */
	public boolean takes(int size) {
		if (this.received + size > this.granted) {
			return false;
		}
		this.received += size;
		return true;
	}

	/**
	 * Bytes are free again.
	 * @param bytes how many
	 * @return whether it is time to raise the grant
	 */
	public boolean release(long bytes) {
		this.released += bytes;
		return this.released >= this.raiseAt;
	}

	/**
	 * What has to be released until the grant is raised again.
	 * @return bytes, 1 or more
	 */
	public long untilRaise() {
		return Math.max(1, this.raiseAt - this.released);
	}

	/**
	 * Grant as much ahead as the window and the account allow; give back what is over.
	 */
	public void raise() {
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
	 * give is reserved in turn.
	 * @param total what the grant must reach
	 */
	public void need(long total) {
		if (!this.open || total <= this.granted) {
			return;
		}
		this.window = Math.min(this.mostWindow, 2 * Math.max(this.window, total - this.released));
		raise();
		this.needed = total;
		ask();
	}

	private void ask() {
		if (this.needed > this.granted && this.waiter == null) {
			this.asked = this.needed - this.granted;
			this.waiter = this.account.reserveInTurn(Direction.INCOMING, this.asked, this.admitted);
		}
	}

	/**
	 * What was asked for is reserved.
	 * @return whether the grant was raised; false if nobody wants it any more
	 */
	public boolean admit() {
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
	public boolean yield(long total) {
		if (total > this.granted) {
			return false;
		}
		if (total > this.received) {
			this.released += total - this.received;
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
	public boolean isOwed() {
		return this.needed > this.received && this.needed <= this.granted;
	}

	/** The connection has ended, and nothing of what arrived is kept. */
	public void close() {
		if (!this.open) {
			return;
		}
		this.open = false;
		this.account.leave();
		long all = this.reserved;
		if (this.waiter != null && !this.waiter.cancel()) {
			all += this.asked;
		}
		this.waiter = null;
		this.reserved = 0;
		this.account.release(Direction.INCOMING, all);
	}

	/**
	 * The total that may be sent.
	 * @return bytes
	 */
	public long granted() {
		return this.granted;
	}

	/**
	 * The total that has arrived.
	 * @return bytes
	 */
	public long received() {
		return this.received;
	}

}
