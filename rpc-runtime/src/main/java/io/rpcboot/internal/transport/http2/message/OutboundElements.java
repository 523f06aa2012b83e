package io.rpcboot.internal.transport.http2.message;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.stream.ElementSink;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.transport.StreamInfo;
import io.rpcboot.transport.StreamInfo.WaitsFor;
import org.jspecify.annotations.Nullable;

/**
 * Elements of one stream that leave: any thread adds them, the event loop takes them as
 * {@link #messages}. Event loop only, except the methods of {@link ElementSink} and
 * {@link #look}.
 */
public final class OutboundElements implements ElementSink {

	/** Bytes that wait for the peer at which no more elements are asked for. */
	private static final int ROOM = 64 * 1024;

	private final Stream stream;

	private final MemoryBudget budget;

	/** Elements whose turn it is to be sent. */
	public final OutboundMessages messages;

	/** Elements on their way to the event loop. */
	private final Queue<byte[]> arriving = new ConcurrentLinkedQueue<>();

	/** Reasons to look at what arrives; the first one sends a task to the loop. */
	private final AtomicInteger reasons = new AtomicInteger();

	private final AtomicLong waitingBytes = new AtomicLong();

	/** Elements that have reached the event loop. Written by it. */
	private long taken;

	/** Bytes of these elements. Written by the event loop. */
	private long takenBytes;

	/**
	 * Decision by which the body waits, null if it does not. Written by the event loop.
	 */
	private @Nullable WriteDecision blockedBy;

	/** Stream that sends them. */
	public interface Stream {

		/**
		 * Runs a task on the event loop, later. Any thread.
		 * @return false if the connection ends
		 */
		boolean execute(Runnable task);

		/** Returns true if the peer reads, so that its elements may overdraw. */
		boolean takesMore();

		/** Returns true if elements are still sent. */
		boolean wantsElements();

		/** Elements have arrived, or {@link #look} was called. */
		void arrived(OutboundElements from);

		/** The event loop has ended, and elements wait. Any thread. */
		void rejected(OutboundElements from);

	}

	/** Creates an empty queue of a client. */
	public OutboundElements(Stream stream, MemoryBudget budget) {
		this(stream, budget, new AtomicLong());
	}

	/**
	 * Creates an empty queue.
	 * @param unsent counts the memory, too
	 */
	public OutboundElements(Stream stream, MemoryBudget budget, AtomicLong unsent) {
		this.stream = stream;
		this.budget = budget;
		this.messages = new OutboundMessages(budget, unsent);
	}

	@Override
	public boolean next(byte[] element) {
		long size = OutboundMessages.size(element);
		if (!reserve(size)) {
			return false;
		}
		this.waitingBytes.addAndGet(size);
		this.arriving.add(element);
		look();
		return true;
	}

	/** Reserves memory. Peers that read may overdraw: elements come without asking. */
	private boolean reserve(long size) {
		if (this.budget.tryReserveAtOnce(Direction.OUTGOING, size)) {
			return true;
		}
		if (!this.stream.takesMore() || this.budget.isFarOverdrawn()) {
			return false;
		}
		this.budget.overdraw(Direction.OUTGOING, size);
		return true;
	}

	@Override
	public int room() {
		long waiting = this.waitingBytes.get();
		if (this.budget.isOutgoingShort()) {
			return (waiting == 0) ? 1 : 0;
		}
		return (int) Math.max(0, ROOM - waiting);
	}

	/** Lets the event loop look at what has arrived. Any thread. */
	public void look() {
		if (this.reasons.getAndIncrement() == 0 && !this.stream.execute(this::take)) {
			this.reasons.set(0);
			this.stream.rejected(this);
		}
	}

	private void take() {
		this.reasons.set(0);
		for (byte[] each = this.arriving.poll(); each != null; each = this.arriving.poll()) {
			this.taken++;
			this.takenBytes += each.length;
			if (this.stream.wantsElements()) {
				this.messages.addReserved(each);
			}
			else {
				release(each);
			}
		}
		this.stream.arrived(this);
	}

	private void release(byte[] element) {
		long size = OutboundMessages.size(element);
		this.waitingBytes.addAndGet(-size);
		this.budget.release(Direction.OUTGOING, size);
	}

	/** Returns true if no element waits that is not in the body. */
	public boolean isEmpty() {
		return this.arriving.isEmpty() && this.messages.size() == 0;
	}

	/** Returns the number of elements that have reached the event loop. */
	public long taken() {
		return this.taken;
	}

	/** Returns the bytes of these elements. */
	public long takenBytes() {
		return this.takenBytes;
	}

	/** Takes note that the body waits for a window or the socket. */
	public WriteDecision blocked(WriteDecision why) {
		this.blockedBy = why;
		return why;
	}

	/** Takes note that the body is written. */
	public void written() {
		this.blockedBy = null;
		this.waitingBytes.addAndGet(-this.messages.written());
	}

	/**
	 * Returns the current state. Any thread; it may be some elements old.
	 * @param owed true if the publisher was asked for elements that have not come
	 * @param complete true if no element follows those that wait
	 */
	public StreamInfo.Elements describe(boolean owed, boolean complete) {
		return new StreamInfo.Elements(this.taken, this.takenBytes, next(owed, complete));
	}

	private WaitsFor next(boolean owed, boolean complete) {
		WriteDecision blocked = this.blockedBy;
		if (blocked != null) {
			return (blocked == WriteDecision.BLOCKED_BY_SOCKET) ? WaitsFor.SOCKET : WaitsFor.WINDOW;
		}
		if (this.waitingBytes.get() > 0) {
			return WaitsFor.NOTHING;
		}
		return complete ? WaitsFor.END : owed ? WaitsFor.PRODUCER : WaitsFor.NOTHING;
	}

	/** Drops the elements whose turn has not come. */
	public void dropWaiting() {
		this.messages.dropWaiting();
	}

	/** Drops all elements. Also any thread, once the event loop has ended. */
	public void clear() {
		this.messages.clear();
		for (byte[] each = this.arriving.poll(); each != null; each = this.arriving.poll()) {
			release(each);
		}
	}

}
