package io.rpcboot.internal.stream;

import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * Publisher of the values of an iterator, for one subscriber. Values are taken on the
 * thread that asks for them; the iterator is closed once, after its last use.
 */
final class IteratorPublisher implements Flow.Publisher<@Nullable Object>, Flow.Subscription {

	private final Iterator<?> values;

	/** Closes what the values come from; null if nothing has to be closed. */
	private final @Nullable Runnable close;

	private final AtomicBoolean isUsed = new AtomicBoolean();

	private final Demand demand = new Demand();

	private volatile boolean cancelled;

	/** True once the iterator is closed. Written by the sending thread. */
	private boolean closed;

	private Flow.@Nullable Subscriber<? super @Nullable Object> subscriber;

	IteratorPublisher(Iterator<?> values, @Nullable Runnable close) {
		this.values = values;
		this.close = close;
	}

	@Override
	public void subscribe(Flow.Subscriber<? super @Nullable Object> given) {
		if (!this.isUsed.compareAndSet(false, true)) {
			throw new IllegalStateException(
					"a second use of an Iterator or Stream (expected: one, because its values are taken once)");
		}
		this.subscriber = given;
		given.onSubscribe(this);
	}

	@Override
	public void request(long count) {
		this.demand.add(count);
		sendWhileWanted();
	}

	@Override
	public void cancel() {
		this.cancelled = true;
		sendWhileWanted();
	}

	private void sendWhileWanted() {
		this.demand.look(() -> send(Objects.requireNonNull(this.subscriber)));
	}

	private void send(Flow.Subscriber<? super @Nullable Object> to) {
		while (!this.closed) {
			if (this.cancelled) {
				close();
				return;
			}
			if (this.demand.isEmpty()) {
				return;
			}
			Object value;
			try {
				if (!this.values.hasNext()) {
					close();
					to.onComplete();
					return;
				}
				value = this.values.next();
			}
			catch (Throwable ex) {
				Throwable failure = (ex instanceof UncheckedIOException io) ? Objects.requireNonNull(io.getCause())
						: ex;
				closeAfter(failure);
				to.onError(failure);
				return;
			}
			this.demand.given();
			to.onNext(value);
		}
	}

	private void close() {
		this.closed = true;
		if (this.close != null) {
			this.close.run();
		}
	}

	/** Closes values that have no subscriber and get none, if they have to be closed. */
	void discard() {
		if (this.close != null && this.isUsed.compareAndSet(false, true)) {
			this.close.run();
		}
	}

	private void closeAfter(Throwable failure) {
		try {
			if (!this.closed) {
				close();
			}
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

}
