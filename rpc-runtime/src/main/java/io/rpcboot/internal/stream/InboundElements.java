package io.rpcboot.internal.stream;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.rpcboot.RpcStream;
import io.rpcboot.Side;
import io.rpcboot.transport.StreamInfo;
import io.rpcboot.transport.StreamInfo.WaitsFor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elements of one stream that arrive on an event loop, for one subscriber. They wait here
 * until they are asked for; those that wait take the window of their stream, so that the
 * peer sends no more.
 * <p>
 * Signals are serial, on threads of the owner. Any thread may request and cancel.
 */
public final class InboundElements implements Flow.Publisher<@Nullable Object>, Flow.Subscription, Runnable {

	/** Memory of an element that waits beside its bytes. */
	public static final int OVERHEAD = 64;

	/** Consumed bytes of which the stream is told at once. */
	private static final int STEP = 16 * 1024;

	private static final Logger ofClient = LoggerFactory.getLogger("rpc.client");

	private static final Logger ofServer = LoggerFactory.getLogger("rpc.server");

	private static final Flow.Subscription NONE = new Flow.Subscription() {

		@Override
		public void request(long count) {
			// its error follows
		}

		@Override
		public void cancel() {
			// it never began
		}

	};

	private final Owner owner;

	private final Logger logger;

	private final AtomicReference<Flow.@Nullable Subscriber<? super @Nullable Object>> subscriber = new AtomicReference<>();

	private final Queue<Element> waiting = new ConcurrentLinkedQueue<>();

	/** Element that was read before the others; taken by the serial thread. */
	private volatile @Nullable Object first;

	/** Bytes of {@link #first}, -1 if there was none. */
	private int firstBytes = -1;

	/** Elements that have arrived, without the first. Written by the event loop. */
	private long arrived;

	/** Bytes of these elements. Written by the event loop. */
	private long arrivedBytes;

	/** Elements that were asked for and not delivered. */
	private final AtomicLong demand = new AtomicLong();

	/**
	 * Reasons to deliver; the first one brings a thread. One from the begin on until the
	 * subscriber has its subscription.
	 */
	private final AtomicInteger reasons = new AtomicInteger(1);

	/** Failure of this side, which comes before those that wait; null without one. */
	private volatile @Nullable Throwable failure;

	/** True once the subscriber wants no more signals. */
	private volatile boolean unsubscribed;

	/** True once no element follows. */
	private volatile boolean ended;

	/** True if the subscriber has to learn that the connection drains. */
	private volatile boolean isDraining;

	/** True once the end was signalled. Serial. */
	private boolean signalled;

	/** Elements that were delivered. Written by the serial thread. */
	private volatile long delivered;

	/** Consumed bytes of which the stream was not told. Serial. */
	private int consumed;

	/** Memory of consumed elements that was not given back. Serial. */
	private int unreleased;

	/**
	 * True if the subscriber has waited for one of the {@link #consumed}, which is not
	 * the first of all. Serial.
	 */
	private boolean hasWaited;

	/** Call of the elements. */
	public interface Owner {

		/**
		 * Runs a task that calls the subscriber, on a thread for it. Never throws.
		 */
		void deliver(Runnable task, Flow.Subscriber<?> to);

		/**
		 * Reads an element. What it throws is the end of the stream.
		 * @param index number of the element, from 0
		 */
		@Nullable Object read(byte[] bytes, int length, long index);

		/** Gives memory of an element back. Any thread. */
		void release(int reserved);

		/**
		 * Gives bytes back to the window, for which the peer may send others. Serial.
		 * @param hasWaited true if the subscriber has waited for one of the elements, but
		 * not for the first of all
		 */
		void restoreWindow(int bytes, boolean hasWaited);

		/** Takes note that nothing more is wanted. Any thread, perhaps twice. */
		void unwanted(String why);

		/** Takes note that the subscriber has thrown, and gets no more signals. */
		default void misbehaved() {
		}

		/**
		 * Returns the failure with which the elements end; null if they are complete.
		 * Once, by the serial thread, right before the end is signalled.
		 */
		@Nullable Throwable outcome();

	}

	/**
	 * Element that waits.
	 *
	 * @param bytes begin with the element
	 * @param length its length
	 * @param reserved bytes that are reserved for it
	 */
	private record Element(byte[] bytes, int length, int reserved) {
	}

	/**
	 * Creates a stream that has no subscriber.
	 * @param side side that has the subscriber
	 */
	public InboundElements(Owner owner, Side side) {
		this.owner = owner;
		this.logger = (side == Side.SERVER) ? ofServer : ofClient;
	}

	@Override
	public void subscribe(Flow.Subscriber<? super @Nullable Object> given) {
		if (!this.subscriber.compareAndSet(null, Objects.requireNonNull(given))) {
			given.onSubscribe(NONE);
			given.onError(
					new IllegalStateException("second subscriber (expected: one, because the elements arrive once)"));
			return;
		}
		try {
			given.onSubscribe(this);
		}
		catch (Throwable ex) {
			misbehaved(ex);
		}
		if (!this.reasons.compareAndSet(1, 0)) {
			this.owner.deliver(this, given);
		}
	}

	/**
	 * Sets an element that comes before the others, and was read already.
	 * @param length bytes of its message
	 */
	public void startsWith(Object element, int length) {
		this.firstBytes = length;
		this.first = element;
	}

	/**
	 * Adds an element. Event loop only.
	 * @param bytes begin with the element; not changed afterwards
	 * @param reserved bytes that are reserved for it
	 */
	public void add(byte[] bytes, int length, int reserved) {
		this.arrived++;
		this.arrivedBytes += length;
		this.waiting.add(new Element(bytes, length, reserved));
		if (this.failure != null) { // perhaps no thread comes any more
			drop();
		}
		deliverSoon();
	}

	/** Ends the elements: those that wait are the last ones. Any thread. */
	public void end() {
		this.ended = true;
		deliverSoon();
	}

	/** The connection drains: no other stream begins on it. Any thread. */
	public void onDrain() {
		this.isDraining = true;
		deliverSoon();
	}

	/**
	 * Fails at once; elements that wait are dropped. Nothing changes once all elements
	 * are delivered and no other follows. Any thread.
	 */
	public void fail(Supplier<? extends Throwable> why) {
		if (this.failure == null && (!this.ended || !isEmpty())) {
			this.failure = why.get();
		}
		drop();
		end();
	}

	/** Drops the elements: there will be no subscriber. Event loop only. */
	public void discard() {
		this.unsubscribed = true;
		drop();
	}

	/** Drops elements that wait, although perhaps no thread asks for them any more. */
	private void drop() {
		for (Element each = this.waiting.poll(); each != null; each = this.waiting.poll()) {
			this.owner.release(each.reserved);
		}
	}

	/** Returns true if the subscriber has cancelled. Any thread. */
	public boolean isCancelled() {
		return this.unsubscribed;
	}

	/** Returns the number of elements that were delivered. Any thread. */
	public long delivered() {
		return this.delivered;
	}

	/** Returns the number of elements that have arrived. Event loop only. */
	public long arrived() {
		return this.arrived;
	}

	/** Returns the bytes of these elements. Event loop only. */
	public long arrivedBytes() {
		return this.arrivedBytes;
	}

	/** Returns the current state. Any thread; it may be some elements old. */
	public StreamInfo.Elements describe() {
		boolean hasFirst = this.firstBytes >= 0;
		WaitsFor next = !isEmpty() ? WaitsFor.CONSUMER : this.ended ? WaitsFor.END : WaitsFor.PEER;
		return new StreamInfo.Elements(this.arrived + (hasFirst ? 1 : 0),
				this.arrivedBytes + (hasFirst ? this.firstBytes : 0), next);
	}

	@Override
	public void request(long count) {
		if (count <= 0) {
			refuse(new IllegalArgumentException("request(%d) (expected: at least 1)".formatted(count)),
					"the subscriber asked for %d elements".formatted(count));
			deliverSoon();
			return;
		}
		this.demand.getAndUpdate((before) -> (before + count < 0) ? Long.MAX_VALUE : before + count);
		deliverSoon();
	}

	@Override
	public void cancel() {
		this.unsubscribed = true;
		this.owner.unwanted("the subscriber has cancelled");
		deliverSoon();
	}

	private void refuse(Throwable why, String text) {
		if (this.failure == null) {
			this.failure = why;
		}
		this.owner.unwanted(text);
	}

	private void misbehaved(Throwable thrown) {
		this.logger.warn("{}: the subscriber has thrown; its stream is cancelled", this.owner, thrown);
		cancel();
		this.owner.misbehaved();
	}

	private void deliverSoon() {
		if (this.reasons.getAndIncrement() != 0) {
			return; // the thread that delivers goes on
		}
		Flow.Subscriber<?> to = this.subscriber.get();
		if (to != null) {
			this.owner.deliver(this, to);
		}
	}

	/** Delivers what was asked for. */
	@Override
	public void run() {
		Flow.Subscriber<? super @Nullable Object> to = Objects.requireNonNull(this.subscriber.get());
		int seen = this.reasons.get();
		do {
			deliverWanted(to);
			tellDrain(to);
			release();
			if (this.ended && !this.signalled && (wantsNoMore() || isEmpty())) {
				this.signalled = true;
				signalEnd(to);
			}
			seen = this.reasons.addAndGet(-seen);
		}
		while (seen != 0);
	}

	private void tellDrain(Flow.Subscriber<?> to) {
		if (this.isDraining && to instanceof RpcStream.DrainListener listener && !wantsNoMore()) {
			this.isDraining = false;
			try {
				listener.onDrain();
			}
			catch (Throwable ex) { // which a subscriber must not
				misbehaved(ex);
			}
		}
	}

	private boolean isEmpty() {
		return this.first == null && this.waiting.isEmpty();
	}

	private boolean wantsNoMore() {
		return this.unsubscribed || this.failure != null || this.signalled;
	}

	private void deliverWanted(Flow.Subscriber<? super @Nullable Object> to) {
		while (true) {
			boolean isWanted = !wantsNoMore();
			if (isWanted && this.demand.get() == 0) {
				return;
			}
			Object read = this.first;
			Element next = (read == null) ? this.waiting.poll() : null;
			if (read == null && next == null) {
				this.hasWaited = this.delivered > 0;
				return;
			}
			if (read != null) {
				this.first = null;
			}
			if (isWanted) {
				this.demand.decrementAndGet();
				deliver(to, read, next);
			}
			if (next != null) {
				consumed(next);
			}
		}
	}

	private void deliver(Flow.Subscriber<? super @Nullable Object> to, @Nullable Object read, @Nullable Element next) {
		Object value = read;
		if (next != null) {
			try {
				value = this.owner.read(next.bytes, next.length, this.delivered);
			}
			catch (Throwable ex) { // an Error, too: no signal follows otherwise
				refuse(ex, "an element cannot be read");
				return;
			}
		}
		this.delivered++;
		try {
			to.onNext(value);
		}
		catch (Throwable ex) { // which a subscriber must not
			misbehaved(ex);
		}
	}

	private void consumed(Element done) {
		this.unreleased += done.reserved;
		this.consumed += done.length + OVERHEAD;
		if (this.consumed >= STEP) {
			release();
			this.owner.restoreWindow(this.consumed, this.hasWaited);
			this.consumed = 0;
			this.hasWaited = false;
		}
	}

	/** Gives the memory of consumed elements back together: it is a task of the loop. */
	private void release() {
		if (this.unreleased > 0) {
			this.owner.release(this.unreleased);
			this.unreleased = 0;
		}
	}

	private void signalEnd(Flow.Subscriber<?> to) {
		Throwable failed = this.owner.outcome();
		Throwable own = this.failure;
		if (this.unsubscribed) {
			return;
		}
		try {
			if (own != null || failed != null) {
				to.onError((own != null) ? own : failed);
			}
			else {
				to.onComplete();
			}
		}
		catch (Throwable ex) { // which a subscriber must not
			this.logger.warn("{}: the subscriber has thrown at the end of its stream", this.owner, ex);
		}
	}

}
