package io.rpcboot.spring.observation;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.micrometer.context.ContextRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.RpcStream;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Tests the observations of calls with streams, which last as long as these. */
@Timeout(60)
class StreamObservationsIntegrationTests {

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Queue<Observation.Context> stopped = new ConcurrentLinkedQueue<>();

	private final Letters letters = new Letters();

	private RpcServer server;

	private RpcClient client;

	private Alphabet remote;

	/** Service with streams. */
	public interface Alphabet {

		Flux<String> flux();

		Stream<String> stream();

		RpcStream<String> pushed();

		CompletableFuture<Long> count(Flux<String> letters);

		/** Names of what is current in an operator on another thread. */
		Flux<String> current();

	}

	private final class Letters implements Alphabet {

		private Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();

		@Override
		public Flux<String> flux() {
			return this.sink.asFlux();
		}

		@Override
		public Stream<String> stream() {
			return Stream.of("a", "b");
		}

		@Override
		public RpcStream<String> pushed() {
			RpcStream<String> letters = RpcStream.create();
			letters.onReady(letters::complete);
			return letters;
		}

		@Override
		public CompletableFuture<Long> count(Flux<String> letters) {
			return letters.count().toFuture();
		}

		@Override
		public Flux<String> current() {
			return Flux.interval(Duration.ofMillis(5))
				.take(3)
				.publishOn(Schedulers.parallel())
				.map((each) -> RpcContext.current().method().name() + " " + nameOfCurrent());
		}

	}

	private String nameOfCurrent() {
		Observation current = this.registry.getCurrentObservation();
		return (current != null) ? String.valueOf(current.getContext().getName()) : "none";
	}

	@BeforeEach
	void start() {
		this.registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				StreamObservationsIntegrationTests.this.stopped.add(context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		this.server = RpcServer.builder()
			.port(0)
			.interceptor(new RpcServerObservationInterceptor(this.registry, null, () -> "trace"))
			.service(Alphabet.class, this.letters)
			.start();
		this.client = RpcClient.builder()
			.interceptor(new RpcClientObservationInterceptor(this.registry, null, () -> "trace"))
			.build();
		this.remote = this.client.reference(Alphabet.class,
				ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", this.server.port())));
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
	}

	/** Waits for the end of both sides. Returns the status of the client. */
	private String statusOfClient(@Nullable Class<?> error) {
		await().atMost(Duration.ofSeconds(20)).until(() -> this.stopped.size() == 2);
		List<RpcClientObservationContext> ofClient = this.stopped.stream()
			.filter(RpcClientObservationContext.class::isInstance)
			.map(RpcClientObservationContext.class::cast)
			.toList();
		this.stopped.clear();
		assertThat(ofClient).hasSize(1);
		Throwable failure = ofClient.get(0).getError();
		if (error == null) {
			assertThat(failure).isNull();
		}
		else {
			assertThat(failure).isInstanceOf(error);
		}
		return ofClient.get(0).getLowCardinalityKeyValue("rpc.status_code").getValue();
	}

	@Test
	void observation_lastsUntilEndOfStream_onBothSides() {
		CompletableFuture<List<String>> all = this.remote.flux().collectList().toFuture();
		this.letters.sink.tryEmitNext("a").orThrow();
		await().until(() -> this.server.inFlightCalls() == 1);
		assertThat(this.stopped).isEmpty();
		this.letters.sink.tryEmitComplete().orThrow();
		assertThat(all.join()).containsExactly("a");
		assertThat(statusOfClient(null)).isEqualTo("OK");
		try (Stream<String> stream = this.remote.stream()) {
			assertThat(stream.toList()).containsExactly("a", "b");
		}
		assertThat(statusOfClient(null)).isEqualTo("OK");
		this.remote.pushed().forEach((each) -> {
		}).join();
		assertThat(statusOfClient(null)).isEqualTo("OK");
		assertThat(this.remote.count(Flux.just("a", "b")).join()).isEqualTo(2);
		assertThat(statusOfClient(null)).isEqualTo("OK");
	}

	@Test
	void failure_isErrorOfObservation() {
		this.letters.sink.tryEmitNext("a").orThrow();
		this.letters.sink.tryEmitError(new RpcException(RpcStatus.NOT_FOUND, "no more", true)).orThrow();
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.remote.flux().blockLast());
		assertThat(statusOfClient(RpcException.class)).isEqualTo("NOT_FOUND");
	}

	@Test
	void streamThatIsUnwanted_isCancelled_andNoError() {
		this.letters.sink.tryEmitNext("a").orThrow();
		assertThat(this.remote.flux().take(1).collectList().block()).containsExactly("a");
		assertThat(statusOfClient(null)).isEqualTo("CANCELLED");
	}

	@Test
	void lostConnection_isErrorOfObservation() {
		Disposable open = this.remote.flux().onErrorComplete().subscribe();
		await().until(() -> this.server.inFlightCalls() == 1);
		this.server.shutdown(Duration.ZERO);
		assertThat(statusOfClient(RpcException.class)).isEqualTo("UNAVAILABLE");
		open.dispose();
	}

	@Test
	void onNextOfCaller_isInScopeOfCallingCode() {
		Observation around = Observation.start("around", this.registry);
		Queue<String> seen = new ConcurrentLinkedQueue<>();
		this.letters.sink.tryEmitNext("a").orThrow();
		this.letters.sink.tryEmitComplete().orThrow();
		around.scoped(() -> this.remote.flux()).doOnNext((each) -> seen.add(nameOfCurrent())).blockLast();
		assertThat(seen).containsExactly("around");
		around.stop();
	}

	@Test
	void operatorsOfMethod_haveContextOfCall_onOtherThreads() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(new ObservationThreadLocalAccessor(this.registry));
		Hooks.enableAutomaticContextPropagation();
		try {
			assertThat(this.remote.current().collectList().block()).hasSize(3)
				.containsOnly("current rpc.server.call.duration");
		}
		finally {
			Hooks.disableAutomaticContextPropagation();
			ContextRegistry.getInstance().registerThreadLocalAccessor(new ObservationThreadLocalAccessor());
		}
	}

}
