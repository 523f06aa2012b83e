package io.rpcboot.benchmarks.flat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Flux;

/** Service with feeds, and a single call. */
public interface Feed {

	/** Elements for as long as they are wanted, as fast as they are. */
	Flux<byte[]> endless(int bytes);

	/** An element each time, for as long as they are wanted. */
	Flux<byte[]> every(int millis, int bytes);

	/** Nothing, and no end. */
	Flux<byte[]> silent();

	CompletableFuture<byte[]> echo(byte[] bytes);

	/** The feeds themselves. */
	final class Served implements Feed {

		@Override
		public Flux<byte[]> endless(int bytes) {
			return Flux.generate((sink) -> sink.next(new byte[bytes]));
		}

		@Override
		public Flux<byte[]> every(int millis, int bytes) {
			return Flux.interval(Duration.ofMillis(millis)).onBackpressureDrop().map((tick) -> new byte[bytes]);
		}

		@Override
		public Flux<byte[]> silent() {
			return Flux.never();
		}

		@Override
		public CompletableFuture<byte[]> echo(byte[] bytes) {
			return CompletableFuture.completedFuture(bytes);
		}

	}

}
