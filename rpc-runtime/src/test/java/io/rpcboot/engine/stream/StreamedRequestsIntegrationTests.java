package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.engine.stream.Uploads.Mode;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Methods that take streams, between a client and a server. */
@Timeout(120)
public class StreamedRequestsIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final UploadsImpl uploads = new UploadsImpl();

	private final LeakWatch leaks = new LeakWatch();

	private RpcServer server;

	private RpcClient client;

	private Uploads remote;

	@BeforeEach
	void start() {
		this.server = RpcServer.builder()
			.port(0)
			.maxStreamsPerConnection(5000)
			.service(Uploads.class, this.uploads)
			.start();
		this.client = RpcClient.builder().build();
		this.remote = this.client.reference(Uploads.class, grpc());
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

	private static Flux<Tick> flux(int count) {
		return Flux.range(0, count).map(Tick::of);
	}

	@Test
	void elements_arriveInOrder_forEachTypeOfStream() {
		for (int count : new int[] { 0, 1, 31, 32, 33, 5000 }) {
			long sum = LongSum.of(count);
			assertThat(this.remote.sum(JdkFlowAdapter.publisherToFlowPublisher(flux(count)))).isEqualTo(sum);
			assertThat(this.remote.sumOfFlux(flux(count)).join()).isEqualTo(sum);
			assertThat(this.remote.sumOfStream(ticks(count).stream())).isEqualTo(sum);
			assertThat(this.remote.sumOfIterator(ticks(count).iterator())).isEqualTo(sum);
			assertThat(this.remote.echo(flux(count)).collectList().block()).isEqualTo(ticks(count));
			assertThat(this.remote.bareEcho(flux(count)).collectList().block()).isEqualTo(ticks(count));
			try (Stream<Tick> echoed = this.remote.echoOfStream(ticks(count).stream())) {
				assertThat(echoed.toList()).isEqualTo(ticks(count));
			}
			assertThat(this.remote.discard(flux(count)).join()).isNull();
		}
		assertThat(this.uploads.failed).hasValue(0);
	}

	/** Sum of the numbers below a count. */
	private static final class LongSum {

		static long of(long count) {
			return count * (count - 1) / 2;
		}

	}

	/** A part of the methods, none of which waits. */
	public interface Unblocked {

		CompletableFuture<Long> sum(Flux<Tick> ticks);

		Flux<Tick> echo(Flux<Tick> ticks);

	}

	private Unblocked unblocked() {
		return new Unblocked() {

			@Override
			public CompletableFuture<Long> sum(Flux<Tick> ticks) {
				return StreamedRequestsIntegrationTests.this.uploads.sumOfFlux(ticks);
			}

			@Override
			public Flux<Tick> echo(Flux<Tick> ticks) {
				return StreamedRequestsIntegrationTests.this.uploads.echo(ticks);
			}

		};
	}

	@Test
	void elements_runOnEventLoop_whereMethodDoes() {
		try (RpcServer other = RpcServer.builder()
			.port(0)
			.dispatch(Dispatch.EVENT_LOOP)
			.service(Unblocked.class, unblocked())
			.start()) {
			Unblocked calls = this.client.reference(Unblocked.class, at(other).withProtocol(Protocol.GRPC));
			assertThat(calls.sum(flux(3000)).join()).isEqualTo(LongSum.of(3000));
			assertThat(this.uploads.thread).contains("server-loop");
			assertThat(calls.echo(flux(3000)).collectList().block()).isEqualTo(ticks(3000));
		}
	}

	@ParameterizedTest
	@Tag("jdk25")
	@EnumSource(value = Dispatch.class, names = { "POOL", "VIRTUAL" })
	void elements_runWhereMethodRuns(Dispatch dispatch) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21);
		try (RpcServer other = RpcServer.builder()
			.port(0)
			.dispatch(dispatch)
			.maxThreads(2)
			.service(Uploads.class, this.uploads)
			.start()) {
			Uploads calls = this.client.reference(Uploads.class, at(other).withProtocol(Protocol.GRPC));
			assertThat(calls.sumOfFlux(flux(3000)).join()).isEqualTo(LongSum.of(3000));
			String thread = this.uploads.thread;
			assertThat(thread).contains((dispatch == Dispatch.VIRTUAL) ? "virtual" : "worker");
			assertThat(calls.echo(flux(3000)).collectList().block()).isEqualTo(ticks(3000));
			List<CompletableFuture<Long>> sums = new ArrayList<>();
			for (int i = 0; i < 8; i++) { // each waits in a thread
				sums.add(CompletableFuture.supplyAsync(() -> calls.sumOfIterator(ticks(500).iterator())));
			}
			assertThat(sums).allSatisfy((each) -> assertThat(each.join()).isEqualTo(LongSum.of(500)));
		}
	}

	@Test
	void parameters_comeBeforeElements() {
		CallOptions.with("tenant", "acme").run(() -> {
			assertThat(this.remote.labelled("sum", Mode.LOUD, 3, Flux.range(1, 100), null).join())
				.isEqualTo("sum LOUD 15150 acme");
			assertThat(this.remote.labelled("", Mode.PLAIN, 0, Flux.just(0, 0), null).join())
				.isEqualTo(" PLAIN 0 acme");
		});
		assertThat(this.remote.sizes("x", Flux.just(List.of(), List.of("a"), List.of())).join()).containsExactly(0, 1,
				0);
	}

	@Test
	void largeElements_passWindowAndMemory() {
		for (int length : new int[] { 0, 1, 1000, 16_000, 65_531, 65_536, 200_000, 2_000_000 }) {
			assertThat(this.remote.bytes(Flux.range(0, 12).map((each) -> new byte[length])).join())
				.isEqualTo(12L * length);
		}
	}

	@Test
	void server_speaksFirst_andBothSpeakInTurns() {
		Sinks.Many<String> lines = Sinks.many().unicast().onBackpressureBuffer();
		List<String> heard = new ArrayList<>();
		CompletableFuture<Void> end = this.remote.chat("ann", lines.asFlux()).doOnNext((each) -> {
			heard.add(each);
			if (heard.size() <= 50) {
				lines.tryEmitNext("line " + heard.size());
			}
			else {
				lines.tryEmitComplete();
			}
		}).then().toFuture();
		end.join();
		assertThat(heard).hasSize(51).startsWith("welcome ann", "ann: line 1").endsWith("ann: line 50");
	}

	@Test
	void slowMethod_slowsCaller_andNobodyElse() {
		AtomicLong produced = new AtomicLong();
		CompletableFuture<Long> open = this.remote
			.deaf(Flux.range(0, 100_000).map((each) -> new byte[1000]).doOnNext((each) -> produced.incrementAndGet()));
		assertThat(Eventually.within(LONG, () -> this.uploads.opened.get() == 1)).isTrue();
		long[] last = { -1 };
		assertThat(Eventually.within(LONG, () -> {
			long now = produced.get();
			boolean stands = now == last[0];
			last[0] = now;
			this.remote.sumOfFlux(flux(100)).join();
			return stands && now > 10;
		})).as("the caller's stream waits").isTrue();
		assertThat(produced.get()).isLessThan(500);
		open.cancel(true);
	}

	@Test
	void cancel_endsBothSides() {
		AtomicInteger cancelled = new AtomicInteger();
		CompletableFuture<Long> open = this.remote
			.silent(Flux.interval(Duration.ofMillis(1)).map(Tick::of).doOnCancel(cancelled::incrementAndGet));
		assertThat(Eventually.within(LONG, () -> this.uploads.taken.get() > 3)).isTrue();
		open.cancel(true);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(open::join);
		assertThat(Eventually.within(LONG, () -> cancelled.get() == 1 && this.uploads.failed.get() == 1)).isTrue();
		assertThat(this.uploads.failure).isInstanceOfSatisfying(RpcException.class,
				(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.CANCELLED));
	}

	@Test
	void cancelOfResult_endsBothSides() {
		AtomicInteger cancelled = new AtomicInteger();
		assertThat(this.remote
			.echo(Flux.interval(Duration.ofMillis(1)).map(Tick::of).doOnCancel(cancelled::incrementAndGet))
			.take(3)
			.collectList()
			.block()).isEqualTo(ticks(3));
		assertThat(Eventually.within(LONG, () -> cancelled.get() == 1 && this.uploads.ended.get() == 1)).isTrue();
	}

	@Test
	void methodThatAnswersEarly_endsCallersStream() {
		AtomicInteger cancelled = new AtomicInteger();
		for (int i = 1; i <= 200; i++) {
			int number = i;
			assertThat(this.remote.firstOf(3, flux(1_000_000).doOnCancel(cancelled::incrementAndGet)).join())
				.isEqualTo(3);
			assertThat(Eventually.within(LONG, () -> cancelled.get() == number)).isTrue();
		}
		assertThat(this.server.connections()).hasSize(1);
	}

	@Test
	void failureOfCaller_reachesMethodAndCaller() {
		Flux<Tick> broken = flux(5).concatWith(Flux.defer(() -> {
			Eventually.until("the method has begun", () -> this.uploads.taken.get() == 5);
			return Flux.error(new IllegalStateException("no more"));
		}));
		Throwable failure = catchThrowable(() -> this.remote.sumOfFlux(broken).join());
		assertThat(failure.getCause()).isInstanceOfSatisfying(RpcException.class, (ex) -> {
			assertThat(ex.status()).isEqualTo(RpcStatus.CANCELLED);
			assertThat(ex).hasMessageContaining("the caller's stream has failed after 5 elements: no more")
				.hasCauseInstanceOf(IllegalStateException.class);
		});
		assertThat(Eventually.within(LONG, () -> this.uploads.ended.get() == 1)).isTrue();
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.remote.sumOfIterator(brokenIterator()))
			.withMessageContaining("failed after 2 elements: broken iterator");
	}

	private static Iterator<Tick> brokenIterator() {
		return Stream.iterate(0, (each) -> each + 1).map((each) -> {
			if (each == 2) {
				throw new IllegalStateException("broken iterator");
			}
			return Tick.of(each);
		}).iterator();
	}

	@Test
	void failureOfMethod_reachesCaller_andEndsItsStream() throws Exception {
		AtomicInteger closed = new AtomicInteger();
		assertThatExceptionOfType(OutOfTicksException.class)
			.isThrownBy(() -> this.remote.failsAfter(7,
					flux(1_000_000).doFinally((how) -> closed.incrementAndGet()).toStream().iterator()))
			.satisfies((ex) -> assertThat(ex.after()).isEqualTo(7));
	}

	/** Returns how many uploads are made at once, of which half fail. */
	protected int manyUploads() {
		return 3000;
	}

	/** Some fail before the method has begun, others when their call has ended. */
	@Test
	void failingUploads_returnTheirPermits() {
		List<CompletableFuture<Long>> calls = new ArrayList<>();
		for (int i = 0; i < manyUploads(); i++) {
			calls.add(this.remote.sumOfFlux((i % 2 == 0) ? Flux.error(new IllegalStateException("none")) : flux(1)));
		}
		for (int i = 0; i < calls.size(); i++) {
			CompletableFuture<Long> call = calls.get(i);
			if (i % 2 == 0) {
				assertThatExceptionOfType(CompletionException.class).isThrownBy(call::join)
					.withMessageContaining("the caller's stream has failed after 0 elements: none");
			}
			else {
				assertThat(call.join()).isZero();
			}
		}
	}

	/** Each upload waits for the elements of a result of the same client. */
	@Test
	void uploadsOfRemoteStreams_doNotHoldUpOneAnother() {
		try (RpcServer source = RpcServer.builder().port(0).service(Feeds.class, new FeedsImpl()).start()) {
			Feeds feeds = this.client.reference(Feeds.class, ReferenceStates.at(source).withProtocol(Protocol.GRPC));
			List<CompletableFuture<Long>> sums = new ArrayList<>();
			for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
				sums.add(CompletableFuture.supplyAsync(() -> this.remote.sumOfIterator(feeds.iterator(5000))));
			}
			assertThat(sums).allSatisfy((each) -> assertThat(each.join()).isEqualTo(LongSum.of(5000)));
		}
	}

	@Test
	void elementThatCannotBeSent_endsCall_whichMayHaveExecuted() {
		Throwable failure = catchThrowable(
				() -> this.remote.bytes(Flux.just(new byte[1], new byte[20_000_000])).join());
		assertThat(failure.getCause()).isInstanceOfSatisfying(RpcException.class, (ex) -> {
			assertThat(ex.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(ex.mayHaveExecuted()).isTrue();
		});
	}

	@Test
	void iteratorOfCaller_isForOneCall() throws Exception {
		Iterator<Tick> once = ticks(3).iterator();
		Stream<Tick> echoed = this.remote
			.echoOfStream(StreamSupport.stream(((Iterable<Tick>) () -> once).spliterator(), false));
		assertThat(echoed.toList()).isEqualTo(ticks(3));
		AtomicInteger closed = new AtomicInteger();
		Stream<Tick> unused = ticks(3).stream().onClose(closed::incrementAndGet);
		Uploads nobody = this.client.reference(Uploads.class,
				ReferenceStates.at(Ports.free()).withProtocol(Protocol.GRPC));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> nobody.sumOfStream(unused));
		assertThat(Eventually.within(LONG, () -> closed.get() == 1)).isTrue();
	}

	@Test
	void nullStream_isRefused() {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.remote.sumOfIterator(null))
			.withMessageContaining("argument 1 is null (expected: a stream, which may be empty)")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT));
		Throwable failure = catchThrowable(
				() -> this.remote.sumOfFlux(JdkFlowAdapter.flowPublisherToFlux(FeedsImpl.nullElement())).join());
		assertThat(failure.getCause()).hasMessageContaining("element 0 of the stream is null");
	}

	@Test
	void timeout_isThatOfBegin_andNotOfWholeStream() {
		Uploads hasty = this.client.reference(Uploads.class, grpc().withTimeout(Duration.ofMillis(300)));
		long begin = System.nanoTime();
		assertThat(hasty.sumOfFlux(flux(10).delayElements(Duration.ofMillis(90))).join()).isEqualTo(45);
		assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(800));
		Uploads limited = this.client.reference(Uploads.class,
				grpc().withMethodTimeout("silent", Duration.ofMillis(300)));
		CompletableFuture<Long> late = limited.silent(Flux.never());
		assertThatExceptionOfType(CompletionException.class).isThrownBy(late::join)
			.satisfies(
					(ex) -> assertThat(((RpcException) ex.getCause()).status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		assertThat(Eventually.within(LONG, () -> this.uploads.failed.get() == 1)).isTrue();
	}

	@Test
	void lostConnection_failsCall_andEndsBothStreams() throws Exception {
		AtomicInteger cancelled = new AtomicInteger();
		CountDownLatch failed = new CountDownLatch(1);
		List<Throwable> failures = new ArrayList<>();
		this.remote.echo(Flux.interval(Duration.ofMillis(1)).map(Tick::of).doOnCancel(cancelled::incrementAndGet))
			.subscribe((each) -> {
			}, (ex) -> {
				failures.add(ex);
				failed.countDown();
			});
		assertThat(Eventually.within(LONG, () -> this.uploads.taken.get() > 3)).isTrue();
		this.server.close();
		assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(failures).singleElement()
			.isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isIn(RpcStatus.UNAVAILABLE, RpcStatus.CANCELLED));
		assertThat(Eventually.within(LONG, () -> cancelled.get() == 1 && this.uploads.ended.get() == 1)).isTrue();
	}

	@Test
	void begunUpload_isNotPending() {
		CompletableFuture<Long> open = this.remote.silent(Flux.never());
		assertThat(Eventually.within(LONG, () -> this.uploads.opened.get() == 1 && this.client.pendingCalls() == 0))
			.isTrue();
		open.cancel(true);
	}

	@Test
	void interruptedCaller_cancelsCall() throws Exception {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		Thread caller = new Thread(() -> failure
			.complete(catchThrowable(() -> this.remote.sum(JdkFlowAdapter.publisherToFlowPublisher(Flux.never())))));
		caller.start();
		assertThat(Eventually.within(LONG, () -> this.uploads.opened.get() == 1)).isTrue();
		caller.interrupt();
		assertThat(failure.get(20, TimeUnit.SECONDS)).isInstanceOfSatisfying(RpcException.class,
				(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.CANCELLED));
		assertThat(Eventually.within(LONG, () -> this.uploads.failed.get() == 1)).isTrue();
	}

	@Test
	void manyExchanges_runAtTheSameTime() {
		List<List<Tick>> all = Flux.range(0, 200)
			.flatMap((each) -> this.remote.echo(flux(200)).collectList(), 200)
			.collectList()
			.block();
		assertThat(all).hasSize(200).containsOnly(ticks(200));
	}

	/** Two streams. */
	public interface Two {

		long all(Flux<Tick> first, Flux<Tick> second);

	}

	/** A stream in front. */
	public interface Front {

		long all(Flux<Tick> first, int factor);

	}

	/** Nothing says when it ends. */
	public interface OneWay {

		@RpcMethod(oneWay = true)
		void all(Flux<Tick> first);

	}

	/** Streams of streams. */
	public interface Nested {

		long all(Stream<Stream<Tick>> first);

	}

	@Test
	void wrongSignature_endsStart_andSaysWhatToDeclare() {
		assertWrong(Two.class, "takes 2 streams (expected: at most one)");
		assertWrong(Front.class, "takes a stream as parameter 1 (expected: the last one");
		assertWrong(OneWay.class, "is one-way and takes a stream");
		assertWrong(Nested.class, "as the result of a method or its last parameter");
	}

	private void assertWrong(Class<?> type, String text) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> this.client.reference(type, grpc()))
			.withMessageContaining(text);
	}

}
