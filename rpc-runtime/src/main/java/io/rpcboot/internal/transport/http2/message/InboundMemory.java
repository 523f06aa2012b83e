package io.rpcboot.internal.transport.http2.message;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.memory.UnusedGrant;
import io.rpcboot.internal.memory.Waiter;
import io.rpcboot.internal.transport.http2.ArrivingBody;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the messages that arrive on one connection. A message is reserved in the
 * budget when its prefix tells its length, before it is kept; a small share of each
 * connection needs no reservation. A long message waits in turn for its memory, one of a
 * connection at a time. Event loop only.
 */
public final class InboundMemory implements UnusedGrant {

	/** Stream with a message. */
	public interface Request {

		/** Returns the bytes for which the message waits. */
		int missingMemory();

		/** Continues the message, because its memory is reserved. */
		void onMemory();

		/** Returns the message, null once it has arrived. */
		@Nullable InboundMessage message();

	}

	/** Reserved bytes that a connection keeps although they are not in use. */
	private static final long KEPT = 64 * 1024;

	/** Most bytes in use of a connection that uses little: those of one short message. */
	private static final int LITTLE = 68 * 1024;

	/** Most bytes that may arrive at the same time for which more time is given. */
	private static final long MOST_SMALL = 4 * 1024 * 1024;

	/**
	 * Most bytes by which the windows of all streams of a connection may be wider than
	 * their smallest size, about 1 MB: two that are as wide as can be.
	 */
	private static final int MOST_WIDENING = 2 * ElementWindow.LARGEST;

	/** The same as a part of the account, so that one connection cannot use it up. */
	private static final int WIDENING_PART = 16;

	/** Stands for the frame that has not arrived completely, in {@link #small}. */
	private static final Object FRAME = new Object();

	private final MemoryBudget budget;

	private final LongConsumer admitted;

	private final LongSupplier openRequest;

	/** Messages that wait for memory, the one whose turn it is first. */
	private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

	/**
	 * Messages, and the frame, that arrive and do not wait for memory, with their
	 * numbers, in turn.
	 */
	private final LinkedHashMap<Object, Long> small = new LinkedHashMap<>();

	private long smallMessages;

	/** Memory of a frame or a header block that has not arrived completely. */
	private int held;

	/** Part of it that is beside the limit. */
	private int pooled;

	/** Number of that frame. */
	private long heldNumber;

	private long used;

	private long reserved;

	private @Nullable Waiter waiter;

	private int asked;

	/** Number of the last request for memory. */
	private long asks;

	/** Long message whose memory is reserved and that has not arrived yet. */
	private @Nullable Request arriving;

	private long grants;

	/** Bytes by which the windows of streams are wider than their smallest size. */
	private int widening;

	private boolean closed;

	/**
	 * Message that waits for memory.
	 *
	 * @param beginning bytes that are reserved for it
	 */
	private record Waiting(Request stream, int beginning) {
	}

	/**
	 * Creates the memory of a connection.
	 * @param admitted receives the number of a request by any thread when its memory is
	 * reserved; {@link #admit} has to follow on the event loop
	 * @param openRequest returns {@link #openRequest()}
	 */
	public InboundMemory(MemoryBudget budget, LongConsumer admitted, LongSupplier openRequest) {
		this.budget = budget;
		this.admitted = admitted;
		this.openRequest = openRequest;
	}

	/**
	 * Reserves bytes now, ahead of messages that wait: a short message cannot wait.
	 * @return false if there is no memory
	 */
	public boolean take(int bytes) {
		return take(bytes, false);
	}

	private boolean take(int bytes, boolean overdraws) {
		long missing = this.used + bytes - ReceiveWindow.SHARE - this.reserved;
		if (missing > 0) {
			if (!this.budget.tryReserveMessage(missing, this.used + bytes <= LITTLE)) {
				if (!overdraws || this.budget.isFarOverdrawn()) {
					return false;
				}
				this.budget.overdraw(Direction.INCOMING, missing);
			}
			this.reserved += missing;
		}
		this.used += bytes;
		return true;
	}

	/**
	 * Counts the memory of a frame or a header block that has not arrived completely. A
	 * peer that keeps it back is found as one that keeps back a message. Without memory
	 * it is taken from a small pool beside the limit; a peer that was served may then
	 * overdraw by an eighth of the limit: others may have taken the memory.
	 * @param bytes 0 for none
	 * @param number number of the frame; the next one has another
	 * @param wasServed true if the peer has got a response
	 * @return false if there is no memory
	 */
	public boolean holds(int bytes, long number, boolean wasServed) {
		int more = bytes - this.held;
		if (more > 0 && !take(more)) {
			if (this.budget.tryTakeFrame(more)) {
				this.pooled += more;
			}
			else if (!wasServed || !take(more, true)) {
				return false;
			}
		}
		if (more < 0) {
			int returned = Math.min(this.pooled, -more);
			this.budget.returnFrame(returned);
			this.pooled -= returned;
			release(-more - returned);
		}
		this.held = bytes;
		if (number != this.heldNumber || bytes == 0) {
			this.small.remove(FRAME);
			this.heldNumber = number;
		}
		if (bytes > 0) {
			addSmall(FRAME);
		}
		return true;
	}

	/** Counts bytes of a message that stays in use, whether there is memory or not. */
	public void keep(int bytes) {
		this.used += bytes;
	}

	/** Releases bytes. */
	public void release(int bytes) {
		this.used -= bytes;
		long excess = this.reserved - Math.max(0, this.used - ReceiveWindow.SHARE);
		if (!this.closed && excess > 0 && (excess > KEPT || this.used == 0 || !this.waiting.isEmpty())) {
			this.reserved -= excess;
			this.budget.release(Direction.INCOMING, excess);
		}
	}

	/** Notes that a message has memory and lacks bytes, for which it does not wait. */
	public void arrives(Request stream) {
		addSmall(stream);
	}

	private void addSmall(Object arrives) {
		if (!this.small.containsKey(arrives)) {
			this.small.put(arrives, ++this.smallMessages);
		}
	}

	/**
	 * Lets a long message wait for its memory.
	 * @param beginning bytes that are reserved for it
	 * @return false if it must not, because messages would wait for one another for ever
	 */
	public boolean await(Request stream, int beginning) {
		if (this.closed || !this.budget.partial().add(beginning, stream.missingMemory())) {
			return false;
		}
		this.small.remove(stream);
		this.waiting.add(new Waiting(stream, beginning));
		release(0); // what is kept may be all that another one lacks
		askNext();
		return true;
	}

	private void askNext() {
		Waiting next = this.waiting.peek();
		if (next != null && this.waiter == null && this.arriving == null && !this.closed) {
			this.asked = next.stream.missingMemory();
			long number = ++this.asks;
			this.waiter = this.budget.reserveInTurn(Direction.INCOMING, this.asked, () -> this.admitted.accept(number));
		}
	}

	/**
	 * Gives the reserved memory to the message whose turn it is.
	 * @param number number of the request
	 * @return the message, null if it does not wait any more
	 */
	public @Nullable Request admit(long number) {
		if (this.waiter == null || number != this.asks) {
			return null;
		}
		this.waiter = null;
		this.reserved += this.asked;
		this.used += this.asked;
		Waiting next = this.waiting.remove();
		this.arriving = next.stream;
		this.budget.partial().remove(next.beginning);
		this.grants++;
		return this.arriving;
	}

	/** Ends the wait of a message, or notes that it has arrived or does not arrive. */
	public void leave(Request stream) {
		Waiting first = this.waiting.peek();
		boolean isAsked = this.waiter != null && first != null && first.stream == stream;
		this.small.remove(stream);
		if (this.arriving == stream) {
			this.arriving = null;
		}
		else {
			this.waiting.removeIf((each) -> endsWait(each, stream));
		}
		if (isAsked) {
			cancelWait();
		}
		askNext();
	}

	private boolean endsWait(Waiting each, Request stream) {
		if (each.stream != stream) {
			return false;
		}
		this.budget.partial().remove(each.beginning);
		return true;
	}

	private void cancelWait() {
		Waiter asking = this.waiter;
		this.waiter = null;
		if (asking != null && !this.budget.cancel(asking)) {
			this.budget.release(Direction.INCOMING, this.asked);
		}
	}

	/**
	 * Lets the window of a stream be wider.
	 * @param bytes bytes by which it widens
	 * @return false if those of the connection are as wide as they may be
	 */
	boolean widens(int bytes) {
		if (this.widening + bytes > Math.min(MOST_WIDENING, this.budget.mostOfOne() / WIDENING_PART)) {
			return false;
		}
		this.widening += bytes;
		return true;
	}

	/** Takes note that the window of a stream is narrower again. */
	void narrows(int bytes) {
		this.widening -= bytes;
	}

	/** Returns the long message that arrives, null if there is none. */
	public @Nullable Request arriving() {
		return this.arriving;
	}

	/** Returns the long message that arrives as a body, null if there is none. */
	public @Nullable ArrivingBody arrivingBody() {
		return (this.arriving != null) ? this.arriving.message() : null;
	}

	/** Returns the reserved bytes. */
	public long reserved() {
		return this.reserved;
	}

	@Override
	public long owed() {
		return (this.arriving != null) ? this.grants : 0;
	}

	@Override
	public long smallBody() {
		return this.small.isEmpty() ? 0 : this.small.values().iterator().next();
	}

	@Override
	public long openRequest() {
		return this.openRequest.getAsLong();
	}

	@Override
	public long smallBytes() {
		return Math.min(this.used, MOST_SMALL);
	}

	@Override
	public boolean isWanted() {
		return this.budget.isIncomingShort();
	}

	/** Releases everything: the connection is closed. */
	public void close() {
		if (!this.closed) {
			this.closed = true;
			this.waiting.forEach((each) -> this.budget.partial().remove(each.beginning));
			this.waiting.clear();
			this.small.clear();
			cancelWait();
			this.budget.release(Direction.INCOMING, this.reserved);
			this.reserved = 0;
			this.budget.returnFrame(this.pooled);
			this.pooled = 0;
		}
	}

}
