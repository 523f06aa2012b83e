package io.rpcboot.engine.failover;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.peer.Cable;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.engine.stream.Uploads;
import io.rpcboot.engine.stream.UploadsImpl;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A hundred exchanges in full flow that end in a bad way. A ledger has each element and
 * each end: no producer runs on, and nothing comes twice or in another order.
 */
@Timeout(120)
class StreamEndsIntegrationTests {

	private static final int STREAMS = 100;

	private final UploadsImpl uploads = new UploadsImpl();

	private final LeakWatch leaks = new LeakWatch();

	private final AtomicInteger producersEnded = new AtomicInteger();

	private final AtomicLong produced = new AtomicLong();

	private final List<Entry> ledger = new ArrayList<>();

	private RpcServer server;

	private Cable cable;

	private RpcClient client;

	/** Elements and end that one subscriber gets. */
	private static final class Entry extends BaseSubscriber<Tick> {

		/** Elements that are asked for, 0 for all. */
		private final int wanted;

		private final AtomicInteger received = new AtomicInteger();

		private final AtomicInteger ends = new AtomicInteger();

		private volatile @Nullable String fault;

		private volatile @Nullable Throwable failure;

		private volatile boolean isComplete;

		Entry(int wanted) {
			this.wanted = wanted;
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			subscription.request((this.wanted > 0) ? this.wanted : Long.MAX_VALUE);
		}

		@Override
		protected void hookOnNext(Tick element) {
			int expected = this.received.getAndIncrement();
			if (!element.equals(Tick.of(expected)) || this.isComplete || this.failure != null) {
				this.fault = "element %d: %s, with failure %s".formatted(expected, element, this.failure);
			}
		}

		@Override
		protected void hookOnComplete() {
			this.isComplete = true;
		}

		@Override
		protected void hookOnError(Throwable ex) {
			this.failure = ex;
		}

		@Override
		protected void hookFinally(SignalType type) {
			this.ends.incrementAndGet();
		}

	}

	@BeforeEach
	void start() throws IOException {
		this.server = RpcServer.builder()
			.port(0)
			.idleTimeout(Duration.ofSeconds(2))
			.service(Uploads.class, this.uploads)
			.start();
		this.cable = new Cable(this.server.port());
		this.client = RpcClient.builder().keepAlive(Duration.ofMillis(500), Duration.ofSeconds(2)).build();
	}

	@AfterEach
	void stop() throws IOException {
		this.client.close();
		this.server.close();
		this.cable.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private ReferenceOptions options() {
		return ReferenceOptions.defaults()
			.withEndpoints(new Endpoint("127.0.0.1", this.cable.port()))
			.withTimeout(Duration.ofSeconds(30))
			.withProtocol(Protocol.GRPC);
	}

	private void begin(ReferenceOptions options, int wanted) {
		Uploads remote = this.client.reference(Uploads.class, options);
		for (int i = 0; i < STREAMS; i++) {
			Flux<Tick> endless = Flux.generate(() -> 0, (number, sink) -> {
				this.produced.incrementAndGet();
				sink.next(Tick.of(number));
				return number + 1;
			});
			Entry entry = new Entry(wanted);
			this.ledger.add(entry);
			remote.echo(endless.doFinally((signal) -> this.producersEnded.incrementAndGet())).subscribe(entry);
		}
		int least = (wanted > 0) ? wanted : 20;
		Eventually.until("all flow", () -> this.ledger.stream().allMatch((each) -> each.received.get() >= least));
	}

	/** Checks the ledger once all streams have to end. */
	private void assertEnds() {
		Eventually.until("each subscriber has its end",
				() -> this.ledger.stream().allMatch((each) -> each.ends.get() > 0));
		Eventually.until("each producer has its end", () -> this.producersEnded.get() == STREAMS);
		Eventually.until("each stream of the server has its end", () -> this.uploads.ended.get() == STREAMS);
		long last = this.produced.get();
		Eventually.until("no stream is open", () -> this.server.openStreams() == 0 && this.client.openStreams() == 0
				&& this.server.inFlightCalls() == 0 && this.client.pendingCalls() == 0);
		assertThat(this.produced).as("elements of producers that have ended").hasValue(last);
		assertThat(this.producersEnded).hasValue(STREAMS);
		assertThat(this.uploads.ended).hasValue(STREAMS);
		assertThat(this.ledger).allSatisfy((each) -> {
			assertThat(each.fault).isNull();
			assertThat(each.ends).hasValue(1);
		});
	}

	private void assertFailed(RpcStatus status) {
		assertThat(this.ledger).allSatisfy((each) -> assertThat(each.failure).isInstanceOfSatisfying(RpcException.class,
				(ex) -> assertThat(ex.status()).isEqualTo(status)));
	}

	@Test
	void cancel_endsBothSidesOfEachExchange() {
		begin(options(), 0);
		this.ledger.forEach(BaseSubscriber::cancel);
		assertEnds();
		assertThat(this.client.connections()).hasSize(1);
	}

	@Test
	void deadline_endsBothSidesOfEachExchange() {
		begin(options().withMethodTimeout("echo", Duration.ofSeconds(8)), 0);
		assertEnds();
		assertFailed(RpcStatus.DEADLINE_EXCEEDED);
	}

	@Test
	void lostConnection_endsBothSidesOfEachExchange() {
		begin(options(), 0);
		this.cable.cut();
		assertEnds();
		assertFailed(RpcStatus.UNAVAILABLE);
	}

	/** Neither side gets a byte any more, and the sockets stay open. */
	@Test
	void frozenPeer_endsBothSidesOfEachExchange() {
		begin(options(), 0);
		this.cable.freeze();
		assertEnds();
		assertFailed(RpcStatus.UNAVAILABLE);
	}

	/** Nothing ends, and nothing piles up, until the subscribers cancel. */
	@Test
	void frozenSubscribers_stopTheirProducers() {
		begin(options(), 5);
		long[] last = new long[1];
		Eventually.until("producers pause", () -> {
			long before = last[0];
			last[0] = this.produced.get();
			return last[0] == before;
		});
		assertThat(this.ledger).allSatisfy((each) -> assertThat(each.received).hasValue(5));
		this.ledger.forEach(BaseSubscriber::cancel);
		assertEnds();
	}

}
