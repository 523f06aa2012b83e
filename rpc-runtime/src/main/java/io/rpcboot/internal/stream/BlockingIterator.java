package io.rpcboot.internal.stream;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over the elements of a publisher, for one thread, which waits for each of
 * them. Asks for a few elements ahead. A publisher may let that thread do its work, see
 * {@link #execute}.
 */
public final class BlockingIterator implements Iterator<Object>, Flow.Subscriber<@Nullable Object>, Executor {

	/** Elements that are asked for ahead; half of them at a time. */
	private static final int AHEAD = 32;

	/** Elements and tasks, at last an {@link End}. */
	private final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();

	private volatile Flow.@Nullable Subscription subscription;

	/** Next signal, null if it is not taken yet. */
	private @Nullable Object next;

	/** Elements taken since more were asked for. */
	private int taken;

	/**
	 * End of the elements.
	 *
	 * @param failure null if they are complete
	 */
	private record End(@Nullable Throwable failure) {
	}

	/**
	 * Task of the publisher.
	 *
	 * @param task brings elements
	 */
	private record Task(Runnable task) {
	}

	/** Returns the elements as a stream, which cancels the rest when it is closed. */
	Stream<Object> stream() {
		return StreamSupport
			.stream(Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL), false)
			.onClose(this::cancel);
	}

	/** Runs a task on the thread that waits for the next element. Any thread. */
	@Override
	public void execute(Runnable task) {
		this.signals.add(new Task(task));
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		this.subscription = given;
		given.request(AHEAD);
	}

	@Override
	public void onNext(@Nullable Object element) {
		if (element != null) {
			this.signals.add(element);
		}
	}

	@Override
	public void onError(Throwable failure) {
		this.signals.add(new End(failure));
	}

	@Override
	public void onComplete() {
		this.signals.add(new End(null));
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
		try {
			Object taken = this.signals.take();
			while (taken instanceof Task own) {
				own.task.run();
				taken = this.signals.take();
			}
			return taken;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			cancel();
			return new End(new RpcException(RpcStatus.CANCELLED,
					"the thread that waits for an element was interrupted; the stream is cancelled", true));
		}
	}

	@Override
	public Object next() {
		if (!hasNext()) {
			throw new NoSuchElementException("the stream has ended");
		}
		Object element = this.next;
		this.next = null;
		Flow.Subscription from = this.subscription;
		if (++this.taken >= AHEAD / 2 && from != null) {
			from.request(this.taken);
			this.taken = 0;
		}
		return Objects.requireNonNull(element);
	}

	private void cancel() {
		Flow.Subscription from = this.subscription;
		if (from != null) {
			from.cancel();
		}
		this.signals.add(new End(null)); // a thread may wait
	}

}
