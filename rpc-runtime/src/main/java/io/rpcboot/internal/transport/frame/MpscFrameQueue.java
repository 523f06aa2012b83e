package io.rpcboot.internal.transport.frame;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * An intrusive queue of frames with many producers and one consumer, after Dmitry Vyukov.
 * Allocates nothing.
 */
public final class MpscFrameQueue {

	private static final AtomicReferenceFieldUpdater<MpscFrameQueue, OutboundFrame> TAIL = AtomicReferenceFieldUpdater
		.newUpdater(MpscFrameQueue.class, OutboundFrame.class, "tail");

	private static final AtomicReferenceFieldUpdater<OutboundFrame, @Nullable OutboundFrame> NEXT = AtomicReferenceFieldUpdater
		.newUpdater(OutboundFrame.class, OutboundFrame.class, "next");

	private final OutboundFrame stub = new Stub();

	private volatile OutboundFrame tail = this.stub;

	private OutboundFrame head = this.stub;

	/** Returns true if there is no frame. Consumer only. */
	public boolean isEmpty() {
		return this.head == this.stub && this.tail == this.stub;
	}

	/** Adds a frame. Any thread. */
	public void push(OutboundFrame frame) {
		frame.next = null;
		OutboundFrame previous = TAIL.getAndSet(this, frame);
		NEXT.lazySet(previous, frame);
	}

	/**
	 * Removes the first frame. One thread at a time.
	 * @return null if the queue is empty, or if another thread is just pushing the first
	 * frame
	 */
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
		NEXT.lazySet(first, null); // a long-lived frame must not retain later frames
		return first;
	}

	/** Keeps the queue from being without any frame; is never written. */
	private static final class Stub extends OutboundFrame {

		Stub() {
			super(NOTHING);
		}

		@Override
		public int headerLength() {
			return 0;
		}

		@Override
		public void writeHeader(ByteBuf out) {
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
