package io.rpcboot.hostile.victim;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Streams of the victim, without a library. */
final class VictimFeedsImpl implements VictimFeeds {

	@Override
	public Flow.Publisher<byte[]> feed(int size) {
		return (subscriber) -> subscriber.onSubscribe(new Endless(subscriber, size));
	}

	@Override
	public CompletableFuture<Long> take(Flow.Publisher<byte[]> elements) {
		CompletableFuture<Long> sum = new CompletableFuture<>();
		elements.subscribe(new Sum(sum));
		return sum;
	}

	@Override
	public CompletableFuture<Long> hold(Flow.Publisher<byte[]> elements) {
		return new CompletableFuture<>();
	}

	@Override
	public long await(Iterator<byte[]> elements) {
		long sum = 0;
		while (elements.hasNext()) {
			sum += elements.next().length;
		}
		return sum;
	}

	@Override
	public Flow.Publisher<byte[]> echo(Flow.Publisher<byte[]> elements) {
		return elements;
	}

	/** Adds the lengths of all elements. */
	private static final class Sum implements Flow.Subscriber<byte[]> {

		private final CompletableFuture<Long> result;

		private long sum;

		Sum(CompletableFuture<Long> result) {
			this.result = result;
		}

		@Override
		public void onSubscribe(Flow.Subscription given) {
			given.request(Long.MAX_VALUE);
		}

		@Override
		public void onNext(byte[] element) {
			this.sum += element.length;
		}

		@Override
		public void onError(Throwable failure) {
			this.result.completeExceptionally(failure);
		}

		@Override
		public void onComplete() {
			this.result.complete(this.sum);
		}

	}

	/** Gives as many as it is asked for, on the thread that asks. */
	private static final class Endless implements Flow.Subscription {

		private final Flow.Subscriber<? super byte[]> subscriber;

		private final int size;

		private long demand;

		private boolean sends;

		private volatile boolean cancelled;

		Endless(Flow.Subscriber<? super byte[]> subscriber, int size) {
			this.subscriber = subscriber;
			this.size = size;
		}

		@Override
		public synchronized void request(long count) {
			this.demand += count;
			if (this.sends) {
				return; // asked for by an element
			}
			this.sends = true;
			while (this.demand > 0 && !this.cancelled) {
				this.demand--;
				this.subscriber.onNext(new byte[this.size]);
			}
			this.sends = false;
		}

		@Override
		public void cancel() {
			this.cancelled = true;
		}

	}

}
