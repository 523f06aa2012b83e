package io.rpcboot.internal.stream;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Streams and values of Reactor, which is there if an interface names {@link Flux} or
 * {@link Mono}.
 */
final class ReactorStreams {

	private ReactorStreams() {
	}

	/**
	 * Returns a publisher whose operators have the thread locals of the thread that
	 * subscribes, if the library of context propagation is there.
	 */
	@SuppressWarnings("unchecked")
	static Flow.Publisher<@Nullable Object> publisher(Object flux) {
		return (Flow.Publisher<@Nullable Object>) (Flow.Publisher<?>) JdkFlowAdapter
			.publisherToFlowPublisher(((Flux<?>) flux).contextCapture());
	}

	static CompletionStage<?> stage(Object mono) {
		return ((Mono<?>) mono).contextCapture().toFuture();
	}

	static Mono<?> mono(Supplier<CompletionStage<?>> call) {
		return Mono.fromFuture(() -> call.get().toCompletableFuture());
	}

	static Flux<?> flux(Flow.Publisher<?> publisher) {
		return JdkFlowAdapter.flowPublisherToFlux(publisher);
	}

}
