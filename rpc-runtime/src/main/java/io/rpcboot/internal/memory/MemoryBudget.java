package io.rpcboot.internal.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.rpcboot.internal.concurrent.SurvivedErrorLog;

/**
 * The memory budget of one client or one server, in bytes. Bodies are reserved before
 * they are allocated and released when they are free. Any thread.
 * <p>
 * Each direction may use up to three quarters of the limit and leaves room for the
 * largest body of the other, so that neither starves the other: inbound calls leave room
 * for results, arguments leave room for replies. Without room a reservation waits in the
 * queue of its direction. Event loops never wait and may overdraw; an overdraft takes
 * nothing from the part of the other direction until it exceeds an eighth of the limit or
 * the largest body. Lock-free while the queues are empty.
 */
public final class MemoryBudget {

	private static final Direction[] DIRECTIONS = Direction.values();

	private final SurvivedErrorLog log = new SurvivedErrorLog();

	/** Limit that the operator has set, for messages. */
	private final long setting;

	final MemoryParts parts;

	private final DirectionTotals sums;

	private final PartialBodies partial;

	/** Number of connections that share the part that is granted ahead. */
	private final AtomicInteger connections = new AtomicInteger();

	private final ReentrantLock lock = new ReentrantLock();

	/** Queues by {@link Direction}. */
	private final List<FairQueue> queues = List.of(new FairQueue(), new FairQueue());

	/** Number of waiters; written with the lock. */
	private volatile int waiting;

	private final AtomicBoolean privilege = new AtomicBoolean();

	/** Bytes of frames that were taken beside the limit. */
	private final AtomicLong frames = new AtomicLong();

	private volatile Runnable shortage = () -> {
	};

	/**
	 * Creates a budget.
	 * @param limit bytes of both directions, 1 or more
	 * @param largestBody largest body in bytes; at most half of the limit is kept for it
	 */
	public MemoryBudget(long limit, long largestBody) {
		this(limit, largestBody, limit);
	}

	/**
	 * Creates a budget that is a part of the limit of the operator.
	 * @param limit bytes of both directions, 1 or more
	 * @param largestBody largest body in bytes; at most half of the limit is kept for it
	 * @param setting limit for messages
	 */
	public MemoryBudget(long limit, long largestBody, long setting) {
		this.setting = setting;
		this.parts = MemoryParts.of(limit, largestBody);
		this.partial = new PartialBodies(this.parts.mostOfPartial());
		queue(Direction.INCOMING).keep(this.parts.kept());
		this.sums = new DirectionTotals(limit, this.parts.mostOfOne(), this.parts.mostOverdrawn(largestBody));
	}

	/**
	 * Reserves bytes if there is room and no reservation of this direction waits.
	 * @param direction direction of the bytes
	 * @param bytes number of bytes
	 * @return false if nothing was reserved
	 */
	public boolean tryReserve(Direction direction, long bytes) {
		return !hasQueue(direction) && enterNow(direction, bytes, this.parts.mostOfOne() - kept(direction));
	}

	/** Returns the bytes that are free without those for owners that have earned it. */
	private long room(Direction direction) {
		return this.sums.room(direction, this.parts.mostOfOne() - kept(direction));
	}

	/** Returns the bytes of a direction that are free, 0 if it is overdrawn. */
	public long free(Direction direction) {
		return Math.max(0, this.sums.room(direction, this.parts.mostOfOne()));
	}

	/** Returns the bytes that are kept for owners that have earned it. */
	private long kept(Direction direction) {
		return queue(direction).kept();
	}

	/**
	 * Reserves bytes if there is room, ahead of all waiters. For small reservations that
	 * cannot wait.
	 * @param direction direction of the bytes
	 * @param bytes number of bytes
	 * @return false if nothing was reserved
	 */
	public boolean tryReserveAtOnce(Direction direction, long bytes) {
		return enterNow(direction, bytes, this.parts.mostOfOne());
	}

	/**
	 * Reserves the bytes of a message of HTTP/2 that has begun to arrive and cannot wait,
	 * ahead of all waiters, but not of the part that is left to them.
	 * @param bytes number of bytes
	 * @param usesLittle true if the connection has little other memory in use
	 * @return false if nothing was reserved
	 */
	public boolean tryReserveMessage(long bytes, boolean usesLittle) {
		return enterNow(Direction.INCOMING, bytes, this.parts.mostAtOnce(usesLittle));
	}

	/**
	 * Takes bytes of a frame that has begun to arrive from a small pool beside the limit,
	 * so that a shortage ends no connection whose read ends within a frame.
	 * @param bytes number of bytes
	 * @return false if nothing was taken
	 */
	public boolean tryTakeFrame(int bytes) {
		long before = this.frames.get();
		while (before + bytes <= this.parts.mostOfFrames()) {
			if (this.frames.compareAndSet(before, before + bytes)) {
				return true;
			}
			before = this.frames.get();
		}
		return false;
	}

	/** Gives bytes of a frame back. */
	public void returnFrame(int bytes) {
		this.frames.addAndGet(-bytes);
	}

	/** A failed try may have blocked a waiter meanwhile, so waiters are served. */
	private boolean enterNow(Direction direction, long bytes, long most) {
		boolean entered = this.sums.enterWithin(direction, bytes, most);
		if (!entered && this.waiting > 0) {
			serve();
		}
		return entered;
	}

	private boolean hasQueue(Direction direction) {
		if (this.waiting == 0) {
			return false;
		}
		this.lock.lock();
		try {
			return !queue(direction).isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Reserves bytes that a peer may send ahead of need, as long as the largest body fits
	 * beside them and no reservation waits.
	 * @param most largest number of bytes
	 * @return number of reserved bytes, 0 or more
	 */
	long reserveAhead(long most) {
		long bytes = hasQueue(Direction.INCOMING) ? 0
				: Math.min(most, this.sums.room(Direction.INCOMING, this.parts.mostAhead()));
		boolean entered = bytes > 0 && enterNow(Direction.INCOMING, bytes, this.parts.mostAhead());
		return entered ? bytes : 0;
	}

	/**
	 * Reserves bytes, in turn, when there is room.
	 * @param direction direction of the bytes
	 * @param bytes number of bytes, at most {@link #mostOfOne()}; inbound ones at most
	 * the largest body
	 * @param admitted run once after the reservation, by the thread that made room, or
	 * before this method returns if there is room now; must not block
	 * @return the waiter
	 */
	public Waiter reserveInTurn(Direction direction, long bytes, Runnable admitted) {
		return reserveInTurnOf(new Object(), direction, bytes, false, (waiter) -> admitted.run());
	}

	/**
	 * Reserves outgoing bytes of a connection if there is room and no reservation waits.
	 * @param bytes number of bytes
	 * @param earned false to leave the pool of owners that have earned it
	 * @return false if nothing was reserved
	 */
	public boolean tryReserveOutgoing(long bytes, boolean earned) {
		return earned ? !hasQueue(Direction.OUTGOING) && enterNow(Direction.OUTGOING, bytes, this.parts.mostOfOne())
				: tryReserve(Direction.OUTGOING, bytes);
	}

	/**
	 * Reserves bytes when there is room and it is the turn of their owner. Owners take
	 * turns; the reservations of one owner keep their order.
	 * @param owner a connection
	 * @param direction direction of the bytes
	 * @param bytes number of bytes, at most {@link #mostOfOne()}; inbound ones at most
	 * the largest body
	 * @param earned true if the owner reads its results, or has sent that number of bytes
	 * before; such owners share every other turn and a pool
	 * @param admitted gets the waiter once after the reservation, on the thread that made
	 * room, or before this method returns if there is room now; must not block
	 * @return the waiter
	 */
	public Waiter reserveInTurnOf(Object owner, Direction direction, long bytes, boolean earned,
			Consumer<Waiter> admitted) {
		return await(new Waiter(direction, bytes, owner, earned, admitted));
	}

	/** Returns bytes to the pool of the waiters that overtake; before their release. */
	public void returnPassed(Direction direction, long bytes) {
		this.lock.lock();
		try {
			queue(direction).returned(bytes);
		}
		finally {
			this.lock.unlock();
		}
	}

	private Waiter await(Waiter waiter) {
		List<Waiter> ready;
		this.lock.lock();
		try {
			queue(waiter.direction).add(waiter);
			this.waiting++;
			ready = admit();
		}
		finally {
			this.lock.unlock();
		}
		notifyAdmitted(ready);
		return waiter;
	}

	/**
	 * Cancels a waiter.
	 * @param waiter a waiter of this budget
	 * @return true if its bytes are not reserved and never will be
	 */
	public boolean cancel(Waiter waiter) {
		List<Waiter> others;
		this.lock.lock();
		try {
			if (!queue(waiter.direction).remove(waiter)) {
				return false;
			}
			this.waiting--;
			others = admit();
		}
		finally {
			this.lock.unlock();
		}
		notifyAdmitted(others);
		return true;
	}

	/**
	 * Reserves bytes; the calling thread waits for room.
	 * @param direction direction of the bytes
	 * @param bytes number of bytes, at most {@link #mostOfOne()}
	 * @param deadlineNanos deadline of the wait, as {@link System#nanoTime()}
	 * @return false, with nothing reserved, if there was no room in time
	 * @throws InterruptedException if the thread is interrupted; nothing is reserved then
	 */
	public boolean reserve(Direction direction, long bytes, long deadlineNanos) throws InterruptedException {
		if (tryReserve(direction, bytes)) {
			return true;
		}
		Thread caller = Thread.currentThread();
		// threads of a client keep their order, those of a server take turns with peers
		Object owner = (kept(direction) == 0) ? this : caller;
		Waiter waiter = reserveInTurnOf(owner, direction, bytes, false, (admitted) -> LockSupport.unpark(caller));
		if (!waiter.entered) {
			this.shortage.run();
		}
		while (!waiter.entered) {
			long remaining = deadlineNanos - System.nanoTime();
			boolean interrupted = Thread.interrupted();
			if (remaining <= 0 || interrupted) {
				if (!cancel(waiter)) { // it was admitted, and the lock may have taken the
										// unpark
					if (interrupted) {
						caller.interrupt();
					}
					return true;
				}
				if (interrupted) {
					throw new InterruptedException();
				}
				return false;
			}
			LockSupport.parkNanos(this, remaining);
		}
		return true;
	}

	/**
	 * Reserves bytes without a limit. Reports a shortage if there was no room.
	 * @param direction direction of the bytes
	 * @param bytes number of bytes
	 */
	public void overdraw(Direction direction, long bytes) {
		this.sums.enter(direction, bytes);
		if (isOverdrawn() || room(direction) < 0) {
			this.shortage.run();
		}
	}

	/**
	 * Releases bytes.
	 * @param direction direction of the bytes
	 * @param bytes number of bytes
	 */
	public void release(Direction direction, long bytes) {
		this.sums.enter(direction, -bytes);
		if (this.waiting > 0) {
			serve();
		}
	}

	private void serve() {
		List<Waiter> ready;
		this.lock.lock();
		try {
			ready = admit();
		}
		finally {
			this.lock.unlock();
		}
		notifyAdmitted(ready);
	}

	/** Returns the inbound bodies that wait for their rest. */
	public PartialBodies partial() {
		return this.partial;
	}

	/**
	 * Returns the privilege to overdraw. One partly reserved body at a time has it, so
	 * that partly reserved bodies never wait for each other.
	 * @return true while a body has it
	 */
	public AtomicBoolean privilege() {
		return this.privilege;
	}

	/** Admits waiters. Only with the lock. */
	private List<Waiter> admit() {
		List<Waiter> ready = new ArrayList<>();
		for (Direction direction : DIRECTIONS) {
			FairQueue queue = queue(direction);
			for (Waiter next = queue.next(); next != null; next = queue.next()) {
				if (this.sums.enterWithin(direction, next.bytes, queue.mostInTurn(this.parts.mostOfOne()))) {
					queue.admit(next);
				}
				else {
					next = queue.passing();
					if (next == null || !this.sums.enterWithin(direction, next.bytes, this.parts.mostOfOne())) {
						break;
					}
					queue.pass(next);
				}
				this.waiting--;
				next.entered = true;
				ready.add(next);
			}
		}
		return ready;
	}

	/** Notifies each waiter, because the bytes of an unnotified one would leak. */
	private void notifyAdmitted(List<Waiter> admitted) {
		for (Waiter each : admitted) {
			try {
				each.admitted.accept(each);
			}
			catch (Throwable ex) {
				this.log.survived("Notifying a waiter for memory", ex);
			}
		}
	}

	private FairQueue queue(Direction direction) {
		return this.queues.get(direction.ordinal());
	}

	/**
	 * Sets a task that runs when an outgoing reservation has to wait or overdraws. Only
	 * before the first use.
	 * @param task runs on any thread, often; must not block
	 */
	public void onShortage(Runnable task) {
		this.shortage = task;
	}

	/**
	 * Keeps an eighth of the outgoing part, or less if the largest reservation would not
	 * fit beside it, as pool for owners that have earned it. Only before the first use.
	 * @param largest largest reservation of an owner in bytes
	 */
	public void keepForEarned(long largest) {
		queue(Direction.OUTGOING).keep(this.parts.keptBeside(largest));
	}

	/** Returns true if outgoing reservations wait or the budget is overdrawn. */
	public boolean isShort() {
		return isOverdrawn() || hasQueue(Direction.OUTGOING);
	}

	/**
	 * Returns true if outgoing reservations wait, or less than an eighth of the outgoing
	 * part is free beside the pool. Work that needs outgoing bytes then reserves them
	 * before it starts.
	 * @return false if enough is free
	 */
	public boolean isOutgoingShort() {
		return hasQueue(Direction.OUTGOING) || room(Direction.OUTGOING) < this.parts.mostOfOne() / 8;
	}

	/**
	 * Returns true if reservations wait, or less than an eighth of the inbound part is
	 * free. Peers may then not keep unused grants.
	 * @return false if enough is free
	 */
	public boolean isIncomingShort() {
		return this.waiting > 0
				|| this.sums.room(Direction.INCOMING, this.parts.mostOfOne()) < this.parts.mostOfOne() / 8;
	}

	/** Number of connections that share the part that is granted ahead. */
	AtomicInteger connections() {
		return this.connections;
	}

	/**
	 * Returns the bytes that each connection may be granted ahead.
	 * @return 0 or more
	 */
	long fairShare() {
		return this.parts.mostAhead() / Math.max(1, this.connections.get());
	}

	/** Returns true if more than the limit is in use. */
	public boolean isOverdrawn() {
		return this.sums.all() > this.parts.limit();
	}

	/** Returns true if more than nine eighths of the limit are in use. */
	public boolean isFarOverdrawn() {
		return this.sums.all() > this.parts.limit() + this.parts.limit() / 8;
	}

	/** Returns the number of waiters of both directions. */
	public int waiting() {
		return this.waiting;
	}

	/** Returns the bytes of a direction that are in use. */
	public long used(Direction direction) {
		return this.sums.of(direction);
	}

	/**
	 * Returns the limit that the operator has set; includes the part beside this budget.
	 * @return bytes
	 */
	public long limit() {
		return this.setting;
	}

	/** Returns the bytes of this budget for both directions. */
	public long usable() {
		return this.parts.limit();
	}

	/** Returns the largest part of one direction in bytes. */
	public long mostOfOne() {
		return this.parts.mostOfOne();
	}

}
