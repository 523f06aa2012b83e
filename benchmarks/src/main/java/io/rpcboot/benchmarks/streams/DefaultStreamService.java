package io.rpcboot.benchmarks.streams;

import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Flux;

/**
 * Sends and counts elements; keeps nothing.
 */
final class DefaultStreamService implements StreamService {

	@Override
	public Flux<byte[]> down(int bytes, int count) {
		return FluxElements.send(bytes, count);
	}

	@Override
	public CompletableFuture<Long> up(Flux<byte[]> elements) {
		return FluxElements.sum(elements);
	}

	@Override
	public Flux<byte[]> both(Flux<byte[]> elements) {
		return elements.map((element) -> element);
	}

	@Override
	public InputStream bytes(long length) {
		return Elements.stream(length);
	}

}
