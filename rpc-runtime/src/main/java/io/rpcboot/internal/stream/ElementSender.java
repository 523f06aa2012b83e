package io.rpcboot.internal.stream;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.RpcStream;
import org.jspecify.annotations.Nullable;

/**
 * Subscriber that serializes the elements of a publisher and hands them to a sink. Asks
 * for more while few bytes wait there, on the thread of an element, else on a thread of
 * its subclass: {@code asked = clamp(room / 2 / size of the last element, 1, MOST)}. No
 * thread is held while the peer takes nothing. Signals are serial; any thread may
 * {@link #stop}.
 */
public abstract class ElementSender implements Flow.Subscriber<@Nullable Object>, ElementSink.Source {

	/** Size of an element before the first one is known, in bytes: one is asked for. */
	private static final int UNKNOWN = 1 << 20;

	/** Most elements that are asked for at once. */
	private static final int MOST = 256;

	/** Nothing was handed to a sink. */
	private static final int FRESH = 0;

	/** Elements were handed to a sink. */
	private static final int TAKEN = 1;

	/** Nothing was handed to a sink, and another one follows. */
	private static final int DETACHED = 2;

	/** An element waits for another sink. */
	private static final int HELD = 3;

	private final AtomicInteger state = new AtomicInteger(FRESH);

	/** Element that waits for another sink. */
	private @Nullable Object held;

	private final AtomicReference<@Nullable ElementSink> sink = new AtomicReference<>();

	private volatile Flow.@Nullable Subscription subscription;

	/** Elements that were asked for and have not come. */
	private final AtomicInteger outstanding = new AtomicInteger();

	/** True while a thread is on its way that asks for more. */
	private final AtomicBoolean asking = new AtomicBoolean();

	/** True once the end is decided. */
	private final AtomicBoolean over = new AtomicBoolean();

	/** True once the connection drains. */
	private volatile boolean isDraining;

	/** Number of elements that have come. Written by their serial threads. */
	private volatile long elements;

	/** Size of the last element in bytes. */
	private volatile int size = UNKNOWN;

	/** Subscribes to the elements for a sink, unless another one was attached. Once. */
	public final void send(Flow.Publisher<?> publisher, ElementSink to) {
		this.sink.compareAndSet(null, to);
		try {
			publisher.subscribe(this);
		}
		catch (Throwable ex) {
			stop(() -> failed(ex));
		}
	}

	/**
	 * Returns the bytes of an element. Whatever it throws goes to {@link #unsendable}.
	 */
	protected abstract byte[] serialize(Object element);

	/**
	 * Detaches from the sink if nothing was handed to it; {@link #attach} follows, or the
	 * end. Any thread.
	 * @return false if elements were handed to it
	 */
	protected final boolean detach() {
		return this.state.get() == DETACHED || this.state.get() == HELD || this.state.compareAndSet(FRESH, DETACHED);
	}

	/** Goes on with another sink, on a thread that may block. */
	protected final void attach(ElementSink to) {
		this.sink.set(to);
		if (!this.state.compareAndSet(DETACHED, FRESH) && this.state.compareAndSet(HELD, TAKEN)) {
			hand(this.held);
		}
	}

	/** Ends the stream: an element cannot be sent, or there is no memory for it. */
	protected abstract void unsendable(RuntimeException why);

	/** Ends the stream: its publisher has failed, or an element has. */
	protected abstract void failed(Throwable failure);

	/** Ends the stream behind its last element. */
	protected abstract void completed();

	/** Runs a task of the publisher on a thread that may block. */
	protected abstract void execute(Runnable task);

	/** Takes note of what a publisher throws when it is cancelled. */
	protected abstract void log(Throwable thrown);

	/** Returns the name of the memory limit, for messages. */
	protected abstract String memoryLimit();

	@Override
	public final void onSubscribe(Flow.Subscription given) {
		Objects.requireNonNull(given, "subscription");
		if (this.subscription != null) {
			given.cancel();
			return;
		}
		this.subscription = given;
		if (this.over.get()) { // before, or meanwhile
			given.cancel();
			return;
		}
		ask();
		tellDrain(given);
	}

	@Override
	public final void onNext(@Nullable Object element) {
		if (this.over.get()) {
			discard(element);
			return;
		}
		if (this.state.get() != TAKEN && !this.state.compareAndSet(FRESH, TAKEN)) {
			this.held = element;
			if (this.state.compareAndSet(DETACHED, HELD)) {
				return;
			}
			this.state.set(TAKEN); // another sink has come meanwhile
		}
		hand(element);
	}

	/**
	 * Serializes an element that was asked for and comes too late: its delegate releases
	 * what the element holds, such as a pooled buffer.
	 */
	private void discard(@Nullable Object element) {
		if (element != null && this.outstanding.getAndUpdate((before) -> Math.max(0, before - 1)) > 0) {
			try {
				serialize(element);
			}
			catch (Throwable ex) { // the end is decided
				log(ex);
			}
		}
	}

	private void hand(@Nullable Object element) {
		ElementSink to = this.sink.get();
		if (to == null) {
			return;
		}
		long index = this.elements;
		this.elements = index + 1;
		byte[] message;
		try {
			if (element == null) {
				throw new RpcException(RpcStatus.INTERNAL,
						"element %d of the stream is null (expected: a value)".formatted(index), true);
			}
			message = serialize(element);
		}
		catch (RuntimeException ex) {
			stop(() -> unsendable(ex));
			return;
		}
		catch (Throwable ex) { // of a getter, or no memory
			stop(() -> failed(ex));
			return;
		}
		this.size = message.length;
		if (!to.next(message)) {
			stop(() -> unsendable(new RpcException(RpcStatus.RESOURCE_EXHAUSTED,
					"%s: no memory for element %d of the stream".formatted(memoryLimit(), index), true)));
			return;
		}
		if (this.outstanding.updateAndGet((before) -> Math.max(0, before - 1)) == 0) {
			ask();
		}
	}

	/** Asks for more elements if few bytes wait. */
	private void ask() {
		Flow.Subscription from = this.subscription;
		ElementSink to = this.sink.get();
		if (from == null || to == null || this.over.get()) {
			return;
		}
		int room = to.room();
		if (room == 0) {
			return;
		}
		int count = Math.max(1, Math.min(MOST, room / 2 / Math.max(1, this.size)));
		if (this.outstanding.compareAndSet(0, count)) {
			from.request(count);
		}
	}

	@Override
	public final void onWritten() {
		ElementSink to = this.sink.get();
		if (to == null || this.outstanding.get() > 0 || this.over.get() || to.room() == 0
				|| !this.asking.compareAndSet(false, true)) {
			return;
		}
		executeOrStop(() -> {
			this.asking.set(false);
			ask();
		});
	}

	@Override
	public final void onDrain() {
		this.isDraining = true;
		tellDrain(this.subscription);
	}

	/** Tells a publisher that has to know. */
	private void tellDrain(Flow.@Nullable Subscription from) {
		if (this.isDraining && from instanceof RpcStream.DrainListener listener && !this.over.get()) {
			executeOrStop(listener::onDrain);
		}
	}

	/** Runs a task of the publisher, which must not throw. */
	private void executeOrStop(Runnable task) {
		try {
			execute(() -> {
				try {
					task.run();
				}
				catch (Throwable ex) {
					stop(() -> failed(ex));
				}
			});
		}
		catch (Throwable ex) { // no thread for it
			stop(() -> failed(ex));
		}
	}

	@Override
	public final boolean owesElements() {
		return this.outstanding.get() > 0;
	}

	@Override
	public final void onError(Throwable failure) {
		Objects.requireNonNull(failure, "failure");
		if (decides()) {
			failed(failure);
		}
	}

	@Override
	public final void onComplete() {
		if (decides()) {
			completed();
		}
	}

	@Override
	public final long elements() {
		return this.elements;
	}

	/** Returns true once the end is decided. */
	protected final boolean isOver() {
		return this.over.get();
	}

	/** Returns true for the first one that ends the stream. */
	private boolean decides() {
		boolean isFirst = this.over.compareAndSet(false, true);
		if (isFirst) {
			decided();
		}
		return isFirst;
	}

	/** Takes note that the end is decided. */
	protected void decided() {
	}

	/**
	 * Cancels the publisher, unless the end is decided.
	 * @param end runs then
	 */
	protected final void stop(Runnable end) {
		if (!decides()) {
			return;
		}
		try {
			Flow.Subscription from = this.subscription;
			if (from != null) {
				from.cancel();
			}
		}
		catch (Throwable ex) {
			log(ex);
		}
		finally {
			end.run();
		}
		Object waiting = this.held;
		if (this.state.compareAndSet(HELD, TAKEN)) {
			discard(waiting);
		}
	}

}
