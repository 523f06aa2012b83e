package io.rpcboot.internal.transport.frame;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import org.jspecify.annotations.Nullable;

/**
 * The frames of a write queue: the intrusive queue of D. Vyukov, with many producers, one
 * consumer and no allocation.
 */
public final class FrameQueue {

	private static final AtomicReferenceFieldUpdater<FrameQueue, Frame> TAIL = AtomicReferenceFieldUpdater
		.newUpdater(FrameQueue.class, Frame.class, "tail");

	private static final AtomicReferenceFieldUpdater<Frame, @Nullable Frame> NEXT = AtomicReferenceFieldUpdater
		.newUpdater(Frame.class, Frame.class, "next");

	private final Frame stub = new Stub();

	private volatile Frame tail = this.stub;

	private Frame head = this.stub;

	/** The consumer only. */
	public boolean isEmpty() {
		return this.head == this.stub && this.tail == this.stub;
	}

	/** Any thread. */
	public void push(Frame frame) {
		frame.next = null;
		Frame previous = TAIL.getAndSet(this, frame);
		NEXT.lazySet(previous, frame);
	}

	/** One thread at a time. Null if it is empty, or if what is next is being pushed. */
	public @Nullable Frame poll() {
		Frame first = this.head;
		Frame next = first.next;
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
	private static final class Stub extends Frame {

		Stub() {
			super(0);
		}

		@Override
		public Admission begin(boolean writable) {
			return Admission.SKIP;
		}

		@Override
		public void rejected() {
		}

	}

}
