package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/** Many streams at the same time, each of whose elements is accounted for. */
@Timeout(120)
class StreamLedgerIntegrationTests {

	private static final int STREAMS = 100;

	private static final Duration GRACE = Duration.ofSeconds(20);

	private final UploadsImpl uploads = new UploadsImpl();

	private final LeakWatch leaks = new LeakWatch();

	@AfterEach
	void noBufferIsLeft() {
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private static Uploads reference(RpcClient client, int... ports) {
		return client.reference(Uploads.class, ReferenceOptions.defaults()
			.withEndpoints(
					IntStream.of(ports).mapToObj((port) -> new Endpoint("127.0.0.1", port)).toArray(Endpoint[]::new))
			.withProtocol(Protocol.GRPC));
	}

	private RpcServer start(int port) {
		return RpcServer.builder().port(port).service(Uploads.class, this.uploads).start();
	}

	private static List<Tick> ticks(int count) {
		return IntStream.range(0, count).mapToObj(Tick::of).toList();
	}

	/** One exchange. */
	private static final class Exchange {

		private final Sinks.Many<Tick> sent = Sinks.many().unicast().onBackpressureBuffer();

		private final CompletableFuture<List<Tick>> received;

		Exchange(Uploads remote) {
			this.received = remote.echo(this.sent.asFlux()).collectList().toFuture();
		}

		void send(int from, int to) {
			IntStream.range(from, to).forEach((number) -> this.sent.tryEmitNext(Tick.of(number)).orThrow());
		}

	}

	@Test
	void shutdown_letsExchangesEnd() {
		try (RpcServer server = start(0); RpcClient client = RpcClient.builder().build()) {
			Uploads remote = reference(client, server.port());
			List<Exchange> all = new ArrayList<>();
			for (int i = 0; i < STREAMS; i++) {
				Exchange next = new Exchange(remote);
				next.send(0, 20);
				all.add(next);
			}
			Eventually.until("all are under way", () -> this.uploads.taken.get() == 20 * STREAMS);
			CompletableFuture<Void> end = CompletableFuture.runAsync(() -> server.shutdown(GRACE));
			Eventually.until("the server leaves", () -> client.connections().isEmpty() || !end.isDone());
			all.forEach((each) -> each.send(20, 40));
			all.forEach((each) -> each.sent.tryEmitComplete().orThrow());
			assertThat(all).allSatisfy((each) -> assertThat(each.received.join()).isEqualTo(ticks(40)));
			end.join();
			assertThat(this.uploads.failed).hasValue(0);
			assertThat(this.uploads.ended).hasValue(STREAMS);
		}
	}

	@Test
	void shutdownWithoutGrace_endsBothSidesOfEachExchange() {
		AtomicInteger cancelled = new AtomicInteger();
		try (RpcServer server = start(0); RpcClient client = RpcClient.builder().build()) {
			Uploads remote = reference(client, server.port());
			List<CompletableFuture<List<Tick>>> all = new ArrayList<>();
			for (int i = 0; i < STREAMS; i++) {
				Flux<Tick> endless = Flux.interval(Duration.ofMillis(5))
					.onBackpressureDrop()
					.map(Tick::of)
					.doOnCancel(cancelled::incrementAndGet);
				all.add(remote.echo(endless).collectList().toFuture());
			}
			Eventually.until("all are under way",
					() -> this.uploads.opened.get() == STREAMS && this.uploads.taken.get() > 2 * STREAMS);
			server.shutdown(Duration.ZERO);
			Eventually.until("all have ended", () -> all.stream().allMatch(CompletableFuture::isDone));
			assertThat(all).allMatch(CompletableFuture::isCompletedExceptionally);
			Eventually.until("no producer runs on", () -> cancelled.get() == STREAMS);
			Eventually.until("no stream of the server is left", () -> this.uploads.ended.get() == STREAMS);
			assertThat(client.pendingCalls()).isZero();
		}
	}

	/** Streams of a few elements, while one server after the other restarts. */
	@Test
	void rollingRestart_losesNoExchange() throws Exception {
		int[] ports = { Ports.free(), Ports.free() };
		RpcServer[] servers = { start(ports[0]), start(ports[1]) };
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger made = new AtomicInteger();
		Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
		try (RpcClient client = RpcClient.builder().build()) {
			Uploads remote = reference(client, ports);
			List<Thread> callers = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				Thread caller = new Thread(() -> {
					while (!over.get()) {
						try {
							assertThat(remote.echo(Flux.range(0, 50).map(Tick::of)).collectList().block())
								.isEqualTo(ticks(50));
							assertThat(remote.sumOfFlux(Flux.range(0, 10).map(Tick::of)).join()).isEqualTo(45);
							made.addAndGet(2);
						}
						catch (Throwable ex) {
							failures.add(ex);
						}
					}
				});
				caller.start();
				callers.add(caller);
			}
			for (int round = 0; round < 4; round++) {
				int before = made.get();
				Eventually.until("calls are made", () -> made.get() > before + 100);
				servers[round % 2].shutdown(GRACE);
				servers[round % 2] = start(ports[round % 2]);
			}
			over.set(true);
			for (Thread each : callers) {
				each.join();
			}
			assertThat(failures).isEmpty();
			assertThat(this.uploads.failed).hasValue(0);
		}
		finally {
			over.set(true);
			servers[0].close();
			servers[1].close();
		}
	}

}
