package io.rpcboot.internal.stream;

import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

/** Streams of Reactor, which is there if an interface names {@link Flux}. */
final class ReactorStreams {

	private ReactorStreams() {
	}

	@SuppressWarnings("unchecked")
	static Flow.Publisher<@Nullable Object> publisher(Object flux) {
		return (Flow.Publisher<@Nullable Object>) (Flow.Publisher<?>) JdkFlowAdapter
			.publisherToFlowPublisher((Flux<?>) flux);
	}

	static Flux<?> flux(Flow.Publisher<?> publisher) {
		return JdkFlowAdapter.flowPublisherToFlux(publisher);
	}

}
