package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.Failure;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Methods that return streams, between a client and a server. */
@Timeout(120)
public class StreamedResultsIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final FeedsImpl feeds = new FeedsImpl();

	private final LeakWatch leaks = new LeakWatch();

	private RpcServer server;

	private RpcClient client;

	private Feeds remote;

	@BeforeEach
	void start() {
		this.server = RpcServer.builder().port(0).service(Feeds.class, this.feeds).start();
		this.client = RpcClient.builder().build();
		this.remote = this.client.reference(Feeds.class, grpc());
	}

	/** Returns how clients find a server. */
	protected ReferenceOptions at(RpcServer called) {
		return ReferenceStates.at(called);
	}

	private ReferenceOptions grpc() {
		return at(this.server).withProtocol(Protocol.GRPC);
	}

	@AfterEach
	void stop() {
		assertThat(Eventually.within(LONG, () -> this.server.inFlightCalls() == 0)).as("calls in flight").isTrue();
		assertThat(Eventually.within(LONG, () -> this.client.pendingCalls() == 0)).as("pending calls").isTrue();
		this.client.close();
		this.server.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private static List<Tick> ticks(int count) {
		return IntStream.range(0, count).mapToObj(Tick::of).toList();
	}

	@Test
	void elements_arriveInOrder_forEachTypeOfStream() {
		for (int count : new int[] { 0, 1, 31, 32, 33, 5000 }) {
			List<Tick> expected = ticks(count);
			assertThat(this.remote.flux(count).collectList().block()).isEqualTo(expected);
			assertThat(JdkFlowAdapter.flowPublisherToFlux(this.remote.ticks(count)).collectList().block())
				.isEqualTo(expected);
			try (Stream<Tick> stream = this.remote.stream(count)) {
				assertThat(stream.toList()).isEqualTo(expected);
			}
			List<Tick> iterated = new ArrayList<>();
			this.remote.iterator(count).forEachRemaining(iterated::add);
			assertThat(iterated).isEqualTo(expected);
		}
		assertThat(this.remote.echo("and a single result")).isEqualTo("and a single result");
	}

	@Test
	void largeElements_passWindowAndMemory() {
		for (int length : new int[] { 1, 1000, 16_000, 65_531, 65_536, 200_000, 2_000_000 }) {
			assertThat(this.remote.blobs(12, length).map((each) -> each.length).collectList().block()).hasSize(12)
				.containsOnly(length);
		}
	}

	/** More than the account of the client holds passes through it. */
	@Test
	void longStream_passesThroughSmallAccount() {
		try (RpcClient small = RpcClient.builder()
			.memory(MemoryOptions.defaults().withLimit(26 * 1024 * 1024))
			.build()) {
			Feeds feeds = small.reference(Feeds.class, grpc());
			assertThat(feeds.blobs(60_000, 1000).count().block()).isEqualTo(60_000);
		}
	}

	@Test
	void nothingIsSent_withoutSubscriber() {
		Flux<Tick> unused = this.remote.flux(10);
		assertThat(unused).isNotNull();
		assertThat(this.remote.echo("later")).isEqualTo("later");
		assertThat(this.feeds.produced).hasValue(0);
	}

	@Test
	void eachSubscriber_makesCall() {
		Flux<Tick> twice = this.remote.flux(10);
		assertThat(twice.count().block()).isEqualTo(10);
		assertThat(twice.count().block()).isEqualTo(10);
		assertThat(this.feeds.produced).hasValue(20);
	}

	/** The window holds 64 KiB, and the server as much. */
	@Test
	void slowConsumer_slowsProducer_andNobodyElse() {
		List<Integer> taken = new ArrayList<>();
		Requests requests = new Requests(taken);
		JdkFlowAdapter.publisherToFlowPublisher(this.remote.blobs(10_000, 1000)).subscribe(requests);
		requests.ask(10);
		assertThat(Eventually.within(LONG, () -> requests.count() == 10)).isTrue();
		awaitPause();
		assertThat(this.feeds.produced.get()).isLessThan(500);
		assertThat(requests.count()).as("not one more than asked for").isEqualTo(10);
		requests.ask(Long.MAX_VALUE);
		assertThat(Eventually.within(LONG, () -> requests.count() == 10_000 && requests.completed)).isTrue();
		assertThat(this.feeds.ended).hasValue(1);
	}

	/** Each takes memory, and none takes a byte of the window beside its prefix. */
	@Test
	void emptyElements_waitAtServer_whenNobodyAsksForThem() {
		Requests requests = new Requests(new ArrayList<>());
		JdkFlowAdapter.publisherToFlowPublisher(this.remote.blobs(200_000, 0)).subscribe(requests);
		requests.ask(1);
		assertThat(Eventually.within(LONG, () -> requests.count() == 1)).isTrue();
		awaitPause();
		assertThat(this.feeds.produced.get()).isLessThan(20_000);
		requests.ask(Long.MAX_VALUE);
		assertThat(Eventually.within(LONG, () -> requests.count() == 200_000 && requests.completed)).isTrue();
	}

	private void awaitPause() {
		long[] last = { -1 };
		assertThat(Eventually.within(LONG, () -> {
			long now = this.feeds.produced.get();
			boolean stands = now == last[0];
			last[0] = now;
			this.remote.echo("beside it");
			return stands && now > 10;
		})).as("the producer waits").isTrue();
	}

	/** An attacker opens and resets streams; these have sent an element each. */
	@Test
	void cancelledStreams_keepTheirConnection() {
		long connections = this.server.connections().size();
		for (int i = 0; i < 1000; i++) {
			assertThat(this.remote.flux(100_000).take(1).blockLast()).isEqualTo(Tick.of(0));
		}
		assertThat(this.server.connections()).hasSize((int) Math.max(1, connections));
		assertThat(Eventually.within(LONG, () -> this.feeds.ended.get() == 1000)).isTrue();
	}

	@Test
	void pausedConsumer_keepsItsConnection_longerThanIdleTimeout() throws Exception {
		try (RpcServer hasty = RpcServer.builder()
			.port(0)
			.idleTimeout(Duration.ofMillis(400))
			.service(Feeds.class, this.feeds)
			.start()) {
			Feeds paused = this.client.reference(Feeds.class, at(hasty).withProtocol(Protocol.GRPC));
			Requests requests = new Requests(new ArrayList<>());
			JdkFlowAdapter.publisherToFlowPublisher(paused.blobs(1000, 1000)).subscribe(requests);
			requests.ask(1);
			assertThat(Eventually.within(LONG, () -> requests.count() == 1)).isTrue();
			Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500)); // several
																						// checks
			requests.ask(Long.MAX_VALUE);
			assertThat(Eventually.within(LONG, () -> requests.count() == 1000 && requests.completed)).isTrue();
		}
	}

	/** Asks by hand. */
	private static final class Requests implements Flow.Subscriber<byte[]> {

		private final List<Integer> taken;

		private volatile Flow.Subscription subscription;

		private volatile boolean completed;

		Requests(List<Integer> taken) {
			this.taken = taken;
		}

		void ask(long count) {
			this.subscription.request(count);
		}

		synchronized int count() {
			return this.taken.size();
		}

		@Override
		public void onSubscribe(Flow.Subscription given) {
			this.subscription = given;
		}

		@Override
		public synchronized void onNext(byte[] element) {
			this.taken.add(element.length);
		}

		@Override
		public void onError(Throwable failure) {
			throw new AssertionError(failure);
		}

		@Override
		public void onComplete() {
			this.completed = true;
		}

	}

	@Test
	void cancel_endsProducer() {
		assertThat(this.remote.endless().take(3).collectList().block()).hasSize(3);
		assertThat(Eventually.within(LONG, () -> this.feeds.cancelled.get() == 1 && this.feeds.ended.get() == 1))
			.isTrue();
		Disposable silent = this.remote.silent().subscribe();
		assertThat(Eventually.within(LONG, () -> this.feeds.opened.get() == 2)).isTrue();
		silent.dispose();
		assertThat(Eventually.within(LONG, () -> this.feeds.cancelled.get() == 2)).isTrue();
	}

	@Test
	void closedStream_endsProducer() {
		try (Stream<Tick> stream = this.remote.stream(1_000_000)) {
			assertThat(stream.limit(5).toList()).isEqualTo(ticks(5));
		}
		assertThat(Eventually.within(LONG, () -> this.feeds.ended.get() == 1)).isTrue();
		assertThat(this.feeds.produced.get()).isLessThan(100_000);
	}

	@ParameterizedTest
	@EnumSource(Failure.class)
	void failure_arrivesBehindElements(Failure how) throws Exception {
		int before = (how == Failure.NULL_STREAM || how == Failure.THROWN) ? 0 : 5;
		List<Tick> arrived = new ArrayList<>();
		Throwable failure = catchThrowable(() -> this.remote.failing(5, how).doOnNext(arrived::add).blockLast());
		Throwable cause = (failure.getCause() instanceof OutOfTicksException declared) ? declared : failure;
		assertThat(arrived).isEqualTo(ticks(before));
		switch (how) {
			case DECLARED -> assertThat(cause).isInstanceOfSatisfying(OutOfTicksException.class,
					(ex) -> assertThat(ex.after()).isEqualTo(5));
			case THROWN -> assertThat(cause).isInstanceOf(OutOfTicksException.class).hasMessage("none");
			case STATUS -> assertStatus(cause, RpcStatus.NOT_FOUND, "no such tick");
			case UNDECLARED -> assertStatus(cause, RpcStatus.APPLICATION, "IllegalStateException");
			case NULL_ELEMENT -> assertStatus(cause, RpcStatus.INTERNAL, "element 5 of the stream is null");
			case NULL_STREAM -> assertStatus(cause, RpcStatus.INTERNAL, "expected: a stream");
		}
	}

	private static void assertStatus(Throwable failure, RpcStatus status, String text) {
		assertThat(failure).isInstanceOfSatisfying(RpcException.class, (ex) -> {
			assertThat(ex.status()).isEqualTo(status);
			assertThat(ex).hasMessageContaining(text);
		});
	}

	@Test
	void failure_isThrown_byBlockingStream() throws Exception {
		Iterator<Tick> none = this.client.reference(Blocking.class, grpc()).failing(2, Failure.DECLARED);
		assertThat(none.next()).isEqualTo(Tick.of(0));
		assertThat(none.next()).isEqualTo(Tick.of(1));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(none::hasNext)
			.withCauseInstanceOf(OutOfTicksException.class);
	}

	/** The same service, whose streams are waited for. */
	@io.rpcboot.RpcContract(name = "io.rpcboot.engine.stream.Feeds")
	public interface Blocking {

		Iterator<Tick> failing(int count, Failure how) throws OutOfTicksException;

	}

	@Test
	void timeout_isThatOfFirstElement() {
		Feeds hasty = this.client.reference(Feeds.class, grpc().withTimeout(Duration.ofMillis(300)));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> hasty.silent().blockLast())
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		assertThat(Eventually.within(LONG, () -> this.feeds.cancelled.get() == 1)).isTrue();
		long begin = System.nanoTime();
		assertThat(hasty.endless().take(Duration.ofMillis(900)).count().block()).isPositive();
		assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(800));
	}

	@Test
	void methodTimeout_endsWholeStream() {
		ReferenceOptions options = grpc().withMethodTimeout("endless", Duration.ofMillis(400));
		Feeds limited = this.client.reference(Feeds.class, options);
		AtomicInteger arrived = new AtomicInteger();
		assertThatExceptionOfType(RpcException.class)
			.isThrownBy(() -> limited.endless().doOnNext((each) -> arrived.incrementAndGet()).blockLast())
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		assertThat(arrived.get()).isPositive();
		assertThat(Eventually.within(LONG, () -> this.feeds.cancelled.get() == 1)).isTrue();
	}

	@Test
	void lostConnection_failsStream_andEndsProducer() throws Exception {
		AtomicInteger arrived = new AtomicInteger();
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch failed = new CountDownLatch(1);
		List<Throwable> failures = new ArrayList<>();
		this.remote.endless().subscribe((each) -> {
			arrived.incrementAndGet();
			begun.countDown();
		}, (ex) -> {
			failures.add(ex);
			failed.countDown();
		});
		assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
		this.server.close();
		assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(failures).singleElement()
			.isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isIn(RpcStatus.UNAVAILABLE, RpcStatus.CANCELLED));
		assertThat(Eventually.within(LONG, () -> this.feeds.cancelled.get() == 1)).isTrue();
	}

	@Test
	void openStreams_arePending_untilFirstElementOnly() {
		CountDownLatch begun = new CountDownLatch(1);
		Disposable open = this.remote.endless().subscribe((each) -> begun.countDown());
		assertThat(Eventually.within(LONG, () -> begun.getCount() == 0)).isTrue();
		assertThat(Eventually.within(LONG, () -> this.client.pendingCalls() == 0)).isTrue();
		open.dispose();
	}

	@Test
	void manyStreams_runAtTheSameTime() {
		List<Long> counts = Flux.range(0, 200)
			.flatMap((each) -> this.remote.flux(200).count(), 200)
			.collectList()
			.block();
		assertThat(counts).hasSize(200).containsOnly(200L);
		assertThat(this.feeds.produced).hasValue(40_000);
	}

	/** Streams of types that protobuf does not carry. */
	public interface Anything {

		Flux<Object> all();

	}

	@Test
	void server_doesNotStart_whenNobodyCouldCallStream() {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(
				() -> RpcServer.builder().port(0).protocols(Protocol.NATIVE).service(Feeds.class, this.feeds).start())
			.withMessageContaining("protocols")
			.withMessageContaining("has a stream, which grpc alone carries");
		Anything anything = () -> Flux.empty();
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder().port(0).service(Anything.class, anything).start())
			.withMessageContaining("protobuf has no type for values of any type")
			.withMessageContaining("has a stream, which gRPC alone carries");
	}

}
