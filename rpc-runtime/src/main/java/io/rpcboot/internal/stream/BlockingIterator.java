package io.rpcboot.internal.stream;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over the elements of a publisher, for one thread, which waits for each of
 * them. Asks for a few elements ahead.
 */
final class BlockingIterator implements Iterator<Object>, Flow.Subscriber<@Nullable Object>, WaitingThread.Waits {

	/** Elements that are asked for ahead; half of them at a time. */
	private static final int AHEAD = 32;

	/**
	 * Bytes of an element from which on the next one is asked for when the thread waits
	 * for it: what is asked for is in no memory account.
	 */
	private static final int LONG = 2048;

	private final WaitingThread thread = new WaitingThread();

	/** Elements, at last an {@link End}. */
	private final Queue<Object> signals = new ConcurrentLinkedQueue<>();

	/** Longest wait for an element; zero for any. */
	private final Duration most;

	private volatile Flow.@Nullable Subscription subscription;

	/** True once an end has come, or the iterator was cancelled. */
	private volatile boolean isOver;

	/** Next signal, null if it is not taken yet. */
	private @Nullable Object next;

	/** Elements that were asked for and not taken. */
	private int asked = 1;

	/**
	 * Creates an iterator.
	 * @param most longest wait for an element; zero for any
	 */
	BlockingIterator(Duration most) {
		this.most = most;
	}

	/**
	 * End of the elements.
	 *
	 * @param failure null if they are complete
	 */
	private record End(@Nullable Throwable failure) {
	}

	@Override
	public WaitingThread thread() {
		return this.thread;
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		this.subscription = given;
		given.request(1);
	}

	@Override
	public void onNext(@Nullable Object element) {
		if (element != null) {
			add(element);
		}
	}

	@Override
	public void onError(Throwable failure) {
		add(new End(failure));
	}

	@Override
	public void onComplete() {
		add(new End(null));
	}

	/** Returns true if no producer waits for this iterator. Any thread. */
	boolean isOver() {
		return this.isOver;
	}

	private void add(Object signal) {
		this.isOver |= signal instanceof End;
		this.signals.add(signal);
		this.thread.wake();
	}

	@Override
	public boolean hasNext() {
		Object first = this.next;
		if (first == null) {
			first = take();
			this.next = first;
		}
		if (!(first instanceof End end)) {
			return true;
		}
		Throwable failure = end.failure;
		if (failure == null) {
			return false;
		}
		if (failure instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		throw new CompletionException(failure); // a declared exception
	}

	private Object take() {
		Object ready = this.signals.poll();
		if (ready != null) {
			return ready;
		}
		if (this.asked == 0) {
			this.thread.execute(() -> request(1)); // so that it comes on this thread
		}
		try {
			if (this.thread.awaitUntil(() -> !this.signals.isEmpty(), this.most.toNanos())) {
				return this.signals.remove();
			}
			return end(RpcStatus.DEADLINE_EXCEEDED, "no element has arrived for %d s, in which a thread waited for it"
				.formatted(this.most.toSeconds()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return end(RpcStatus.CANCELLED,
					"the thread that waits for an element was interrupted; the stream is cancelled");
		}
	}

	private End end(RpcStatus status, String why) {
		cancel();
		return new End(new RpcException(status, why, true));
	}

	@Override
	public Object next() {
		if (!hasNext()) {
			throw new NoSuchElementException("the stream has ended");
		}
		Object element = Objects.requireNonNull(this.next);
		this.next = null;
		boolean isLong = element instanceof byte[] bytes && bytes.length >= LONG;
		if (--this.asked <= AHEAD / 2 && !isLong) {
			request(AHEAD - this.asked);
		}
		return element;
	}

	private void request(int more) {
		Flow.Subscription from = this.subscription;
		if (from != null) {
			this.asked += more;
			from.request(more);
		}
	}

	/** Ends the elements, of which no other is wanted. Any thread. */
	void cancel() {
		Flow.Subscription from = this.subscription;
		if (from != null) {
			from.cancel();
		}
		add(new End(null)); // a thread may wait
	}

}
