package io.rpcboot;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Stream of values for code that uses neither Reactor nor {@link Flow}: the result of a
 * method, its last parameter, or both. The side that sends creates one and sends on
 * demand; the side that receives gets one from the engine and takes each value.
 *
 * <pre>{@code
 * public RpcStream<Quote> quotes(String symbol) {
 *     RpcStream<Quote> quotes = RpcStream.create();
 *     quotes.onReady(() -> {
 *         while (quotes.isReady()) {
 *             quotes.send(next(symbol));
 *         }
 *     });
 *     quotes.onDrain(quotes::complete);
 *     return quotes;
 * }
 *
 * quotes.quotes("ACME").forEach(System.out::println).join();
 * }</pre>
 * <p>
 * A stream is used once. The stream learns that its connection drains, because the server
 * shuts down or replaces the connection: it may then end in its own way within the grace
 * period, and the caller opens another one.
 *
 * @param <T> the type of the values
 * @since 0.1.0
 */
public final class RpcStream<T> implements Flow.Publisher<T> {

	private final Flow.Publisher<? extends T> source;

	/** Values of the application, null for a stream that is received. */
	private final @Nullable Sent<T> sent;

	private final AtomicBoolean isUsed = new AtomicBoolean();

	private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

	private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

	private final Notice drain = new Notice();

	private RpcStream(Flow.@Nullable Publisher<? extends T> source) {
		this.sent = (source != null) ? null : new Sent<>(this.drain);
		this.source = (this.sent != null) ? this.sent : Objects.requireNonNull(source);
		this.end.whenComplete((nothing, failure) -> cancelIfUnwanted());
	}

	/**
	 * Listener for the drain of a connection: a {@link Flow.Subscription} whose publisher
	 * sends a stream, or a {@link Flow.Subscriber} that receives one.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface DrainListener {

		/**
		 * The connection of the stream takes no other streams and is closed when those on
		 * it have ended, at the end of the grace period at the latest. Called at most
		 * twice, on a thread of the signals of the stream.
		 */
		void onDrain();

	}

	/**
	 * Creates a stream to send values.
	 * @param <T> the type of the values
	 * @return a stream without values
	 */
	public static <T> RpcStream<T> create() {
		return new RpcStream<>(null);
	}

	/**
	 * Returns the values of a publisher as a stream to receive.
	 * @param <T> the type of the values
	 * @param source the publisher, which gets its subscriber from {@link #forEach} or
	 * {@link #subscribe}
	 * @return a stream that cannot {@link #send}
	 */
	public static <T> RpcStream<T> from(Flow.Publisher<? extends T> source) {
		return new RpcStream<>(Objects.requireNonNull(source, "source"));
	}

	/**
	 * Returns true if the receiver has asked for a value that was not sent. Any thread.
	 * @return false before the stream has a receiver, while enough values wait for it,
	 * and once the stream has ended
	 * @throws IllegalStateException if the stream is received
	 */
	public boolean isReady() {
		return sent().isReady();
	}

	/**
	 * Sets what runs each time that the stream becomes {@linkplain #isReady() ready}, and
	 * now if it is. One run at a time: at a server on a thread of the method, at a client
	 * on a callback thread, or within {@link #send}. An exception of it {@linkplain #fail
	 * fails} the stream.
	 * @param handler sends while the stream is ready; replaces an earlier one
	 * @throws IllegalStateException if the stream is received
	 */
	public void onReady(Runnable handler) {
		sent().onReady(Objects.requireNonNull(handler, "handler"));
	}

	/**
	 * Sends a value. One thread at a time. Does nothing once the receiver has cancelled.
	 * @param value the value
	 * @throws IllegalStateException if the stream is not {@linkplain #isReady() ready},
	 * because a value would have to wait in a queue without bound; if it was completed or
	 * has failed; if it is received
	 */
	public void send(T value) {
		sent().send(Objects.requireNonNull(value, "value"));
	}

	/**
	 * Ends the stream behind its last value. The other direction of a call goes on (half
	 * close). Any thread, but not beside {@link #send}. Does nothing if it has ended.
	 * @throws IllegalStateException if the stream is received
	 */
	public void complete() {
		sent().end(null);
	}

	/**
	 * Ends the stream with a failure, which the receiver gets behind the last value. Any
	 * thread, but not beside {@link #send}. Does nothing if it has ended.
	 * @param failure a declared exception, an {@link RpcException} or any other, as a
	 * method would throw it
	 * @throws IllegalStateException if the stream is received
	 */
	public void fail(Throwable failure) {
		sent().end(Objects.requireNonNull(failure, "failure"));
	}

	/**
	 * Sets what runs once the stream is cancelled: by the receiver, with its call, with
	 * its connection, or by {@link #cancel}. Runs at once if it is. Any thread.
	 * @param handler releases what produces the values; replaces an earlier one
	 * @throws IllegalStateException if the stream is received
	 */
	public void onCancel(Runnable handler) {
		sent().cancel.handle(Objects.requireNonNull(handler, "handler"));
	}

	/**
	 * Takes all values. A slow action slows the sender.
	 * @param action called for each value, one at a time: where replies run at a client,
	 * where its method runs at a server. Its exception cancels the stream
	 * @return completes at the end of the stream, with its failure or that of the action.
	 * Cancelling it cancels the stream
	 * @throws IllegalStateException if the stream has a receiver
	 */
	public CompletableFuture<@Nullable Void> forEach(Consumer<? super T> action) {
		subscribe(new Taking<>(Objects.requireNonNull(action, "action"), this.end));
		return this.end;
	}

	/**
	 * Passes the values to a subscriber. One that is a {@link DrainListener} learns of a
	 * drain.
	 * @param subscriber the only subscriber
	 * @throws IllegalStateException if the stream has a receiver
	 */
	@Override
	public void subscribe(Flow.Subscriber<? super T> subscriber) {
		Objects.requireNonNull(subscriber, "subscriber");
		if (!this.isUsed.compareAndSet(false, true)) {
			throw new IllegalStateException("second receiver of a stream (expected: one, because values arrive once)");
		}
		this.source.subscribe(new Receiver(subscriber));
	}

	/**
	 * Ends the stream from either side: a receiver gets no more values and its call is
	 * cancelled, a sender {@linkplain #fail fails} with a {@link CancellationException}.
	 * Any thread.
	 */
	public void cancel() {
		if (this.sent == null) {
			this.end.cancel(false);
			return;
		}
		this.sent.end(new CancellationException("the sender has cancelled the stream"));
		this.sent.cancel.happens();
	}

	/**
	 * Sets what runs once the connection of the stream drains, because the server shuts
	 * down or replaces the connection. The stream may go on until the end of the grace
	 * period; a sender completes it at a place from where the receiver can go on
	 * elsewhere. Runs at once if the connection drains. Any thread.
	 * @param handler runs once, on a thread of the signals of the stream; replaces an
	 * earlier one
	 */
	public void onDrain(Runnable handler) {
		this.drain.handle(Objects.requireNonNull(handler, "handler"));
	}

	private Sent<T> sent() {
		if (this.sent == null) {
			throw new IllegalStateException("the stream is received (expected: one of RpcStream.create())");
		}
		return this.sent;
	}

	private void cancelIfUnwanted() {
		Flow.Subscription from = this.subscription.get();
		if (from != null && this.end.isCancelled()) {
			from.cancel();
		}
	}

	/** Event that happens once, and its handler. Any thread. */
	private static final class Notice {

		private final AtomicReference<@Nullable Runnable> handler = new AtomicReference<>();

		private volatile boolean hasHappened;

		void handle(Runnable given) {
			this.handler.set(given);
			run();
		}

		void happens() {
			this.hasHappened = true;
			run();
		}

		private void run() {
			Runnable waiting = this.hasHappened ? this.handler.getAndSet(null) : null;
			if (waiting != null) {
				waiting.run();
			}
		}

	}

	/** Passes signals, the drain and the end. */
	private final class Receiver implements Flow.Subscriber<T>, DrainListener {

		private final Flow.Subscriber<? super T> to;

		Receiver(Flow.Subscriber<? super T> to) {
			this.to = to;
		}

		@Override
		public void onSubscribe(Flow.Subscription given) {
			RpcStream.this.subscription.set(given);
			this.to.onSubscribe(given);
			cancelIfUnwanted();
		}

		@Override
		public void onNext(T value) {
			this.to.onNext(value);
		}

		@Override
		public void onError(Throwable failure) {
			this.to.onError(failure);
			RpcStream.this.end.completeExceptionally(failure);
		}

		@Override
		public void onComplete() {
			this.to.onComplete();
			RpcStream.this.end.complete(null);
		}

		@Override
		public void onDrain() {
			if (this.to instanceof DrainListener listener) {
				listener.onDrain();
			}
			RpcStream.this.drain.happens();
		}

	}

	/** Calls an action for each value, on the thread that brings it. */
	private record Taking<T>(Consumer<? super T> action,
			CompletableFuture<@Nullable Void> end) implements Flow.Subscriber<T> {

		@Override
		public void onSubscribe(Flow.Subscription given) {
			this.end.whenComplete((nothing, failure) -> {
				if (failure != null) {
					given.cancel();
				}
			});
			given.request(Long.MAX_VALUE);
		}

		@Override
		public void onNext(T value) {
			if (this.end.isDone()) {
				return;
			}
			try {
				this.action.accept(value);
			}
			catch (Throwable ex) {
				this.end.completeExceptionally(ex);
			}
		}

		@Override
		public void onError(Throwable failure) {
			// completes the future
		}

		@Override
		public void onComplete() {
			// completes the future
		}

	}

	/** Values that the application sends, for one subscriber. */
	private static final class Sent<T> implements Flow.Publisher<T>, Flow.Subscription, DrainListener {

		private final Notice drain;

		final Notice cancel = new Notice();

		/** Values that were asked for and not sent. */
		private final AtomicLong wanted = new AtomicLong();

		/** Reasons to run the handler; the thread that adds the first one runs it. */
		private final AtomicInteger reasons = new AtomicInteger();

		private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();

		private final AtomicBoolean isEndSignalled = new AtomicBoolean();

		private volatile @Nullable Runnable ready;

		private volatile Flow.@Nullable Subscriber<? super T> subscriber;

		/** True once the subscriber has its subscription. */
		private volatile boolean isSubscribed;

		/** True once the subscriber wants no more signals. */
		private volatile boolean isUnwanted;

		Sent(Notice drain) {
			this.drain = drain;
		}

		/**
		 * End of the values.
		 *
		 * @param failure null if they are complete
		 */
		private record Outcome(@Nullable Throwable failure) {
		}

		@Override
		public void subscribe(Flow.Subscriber<? super T> given) {
			this.subscriber = given;
			given.onSubscribe(this);
			this.isSubscribed = true;
			signalEnd();
		}

		boolean isReady() {
			return this.wanted.get() > 0 && this.outcome.get() == null && !this.isUnwanted;
		}

		void onReady(Runnable handler) {
			this.ready = handler;
			runWhileReady();
		}

		@Override
		public void request(long count) {
			if (count <= 0) {
				end(new IllegalArgumentException("request(%d) (expected: at least 1)".formatted(count)));
			}
			else if (this.wanted
				.getAndUpdate((before) -> (before + count < 0) ? Long.MAX_VALUE : before + count) == 0) {
				runWhileReady();
			}
		}

		private void runWhileReady() {
			if (this.reasons.getAndIncrement() != 0) {
				return;
			}
			int seen = 1;
			do {
				Runnable handler = this.ready;
				if (handler != null && isReady()) {
					runOrFail(handler);
				}
				seen = this.reasons.addAndGet(-seen);
			}
			while (seen != 0);
		}

		private void runOrFail(Runnable handler) {
			try {
				handler.run();
			}
			catch (Throwable ex) {
				end(ex);
			}
		}

		void send(T value) {
			Flow.Subscriber<? super T> to = this.subscriber;
			if (this.isUnwanted) {
				return;
			}
			if (this.outcome.get() != null) {
				throw new IllegalStateException("send() behind the end of the stream");
			}
			if (to == null || this.wanted.get() == 0) {
				throw new IllegalStateException(
						"send() without demand (expected: while isReady(), which onReady() tells)");
			}
			this.wanted.decrementAndGet();
			to.onNext(value);
		}

		void end(@Nullable Throwable failure) {
			this.outcome.compareAndSet(null, new Outcome(failure));
			signalEnd();
		}

		private void signalEnd() {
			Flow.Subscriber<? super T> to = this.subscriber;
			Outcome ended = this.outcome.get();
			if (to == null || ended == null || !this.isSubscribed || this.isUnwanted
					|| !this.isEndSignalled.compareAndSet(false, true)) {
				return;
			}
			if (ended.failure != null) {
				to.onError(ended.failure);
			}
			else {
				to.onComplete();
			}
		}

		@Override
		public void cancel() {
			if (!this.isEndSignalled.get()) {
				this.isUnwanted = true;
				this.cancel.happens();
			}
		}

		@Override
		public void onDrain() {
			runOrFail(this.drain::happens);
		}

	}

}
