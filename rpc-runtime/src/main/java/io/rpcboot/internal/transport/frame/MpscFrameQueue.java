package io.rpcboot.internal.transport.frame;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import org.jspecify.annotations.Nullable;

/**
 * The frames of a write queue: the intrusive queue of D. Vyukov, with many producers, one
 * consumer and no allocation.
 */
public final class MpscFrameQueue {

	private static final AtomicReferenceFieldUpdater<MpscFrameQueue, OutboundFrame> TAIL = AtomicReferenceFieldUpdater
		.newUpdater(MpscFrameQueue.class, OutboundFrame.class, "tail");

	private static final AtomicReferenceFieldUpdater<OutboundFrame, @Nullable OutboundFrame> NEXT = AtomicReferenceFieldUpdater
		.newUpdater(OutboundFrame.class, OutboundFrame.class, "next");

	private final OutboundFrame stub = new Stub();

	private volatile OutboundFrame tail = this.stub;

	private OutboundFrame head = this.stub;

	/** The consumer only. */
	public boolean isEmpty() {
		return this.head == this.stub && this.tail == this.stub;
	}

	/** Any thread. */
	public void push(OutboundFrame frame) {
		frame.next = null;
		OutboundFrame previous = TAIL.getAndSet(this, frame);
		NEXT.lazySet(previous, frame);
	}

	/** One thread at a time. Null if it is empty, or if what is next is being pushed. */
	public @Nullable OutboundFrame poll() {
		OutboundFrame first = this.head;
		OutboundFrame next = first.next;
		if (first == this.stub) {
			if (next == null) {
				return null;
			}
			this.head = next;
			first = next;
			next = next.next;
		}
		if (next == null && first == this.tail) {
			push(this.stub);
			next = first.next;
		}
		if (next == null) {
			return null;
		}
		this.head = next;
		NEXT.lazySet(first, null); // a frame that lives long must not keep those behind
									// it
		return first;
	}

	/** Stands in the queue so that it has a frame; it is never written. */
	private static final class Stub extends OutboundFrame {

		Stub() {
			super(0);
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			return WriteDecision.SKIP;
		}

		@Override
		public void onRejected() {
		}

	}

}
