package io.rpcboot.benchmarks.streams;

import java.util.concurrent.CompletableFuture;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * Elements in the types of Reactor, for the systems that have them.
 */
final class FluxElements {

	private FluxElements() {
	}

	static Flux<byte[]> send(int bytes, int count) {
		byte[] element = Elements.of(bytes);
		return Flux.range(0, count).map((number) -> element);
	}

	/**
	 * Takes all elements without bound.
	 * @return their bytes
	 */
	static CompletableFuture<Long> sum(Flux<byte[]> elements) {
		Sum sum = new Sum();
		elements.subscribe(sum);
		return sum.result;
	}

	private static final class Sum implements CoreSubscriber<byte[]> {

		private final CompletableFuture<Long> result = new CompletableFuture<>();

		private long bytes;

		@Override
		public void onSubscribe(Subscription subscription) {
			subscription.request(Long.MAX_VALUE);
		}

		@Override
		public void onNext(byte[] element) {
			this.bytes += Elements.check(element);
		}

		@Override
		public void onError(Throwable failure) {
			this.result.completeExceptionally(failure);
		}

		@Override
		public void onComplete() {
			this.result.complete(this.bytes);
		}

	}

}
