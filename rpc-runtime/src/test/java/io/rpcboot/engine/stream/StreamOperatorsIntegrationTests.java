package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.Failure;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Operators of Reactor on streams of a reference: as on a local publisher, without an
 * overflow, and without an element that nothing has asked for. {@link StepVerifier} fails
 * for such an element.
 */
@Timeout(60)
class StreamOperatorsIntegrationTests {

	private static final int MANY = 3000;

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final FeedsImpl feeds = new FeedsImpl();

	private static RpcServer server;

	private static RpcClient client;

	private static Feeds remote;

	private static Uploads uploads;

	@BeforeAll
	static void start() {
		server = RpcServer.builder()
			.port(0)
			.service(Feeds.class, feeds)
			.service(Uploads.class, new UploadsImpl())
			.start();
		client = RpcClient.builder().build();
		ReferenceOptions grpc = ReferenceStates.at(server).withProtocol(Protocol.GRPC);
		remote = client.reference(Feeds.class, grpc);
		uploads = client.reference(Uploads.class, grpc);
	}

	@AfterEach
	void nothingIsLeft() {
		Eventually.until("no stream is open", () -> server.inFlightCalls() == 0 && client.openStreams() == 0);
	}

	@AfterAll
	static void stop() {
		client.close();
		server.close();
	}

	private static Flux<Integer> numbers(Flux<Tick> ticks) {
		return ticks.map(Tick::number);
	}

	/** Streams of numbers from 0 on. */
	static Stream<Arguments> sources() {
		return Stream.of(arguments("result", (Function<Integer, Flux<Integer>>) (count) -> numbers(remote.flux(count))),
				arguments("both ways", (Function<Integer, Flux<Integer>>) (count) -> numbers(
						uploads.echo(Flux.range(0, count).map(Tick::of)))));
	}

	/** Operators that keep the numbers and their order. */
	static Stream<Arguments> table() {
		List<Arguments> operators = List.of(row("publishOn", (all) -> all.publishOn(Schedulers.parallel())),
				row("publishOn with a small queue", (all) -> all.publishOn(Schedulers.parallel(), 1)),
				row("subscribeOn", (all) -> all.subscribeOn(Schedulers.boundedElastic())),
				row("limitRate", (all) -> all.limitRate(10)),
				row("limitRate with low tide", (all) -> all.limitRate(100, 1)),
				row("concatMap", (all) -> all.concatMap(Flux::just, 1)),
				row("flatMapSequential", (all) -> all.flatMapSequential((each) -> Flux.just(each).hide(), 2, 1)),
				row("flatMap one by one", (all) -> all.flatMap((each) -> Flux.just(each).hide(), 1, 1)),
				row("zip with a range", (all) -> all.zipWith(Flux.range(0, MANY), (one, other) -> one)),
				row("bufferUntil and back", (all) -> all.buffer(7).flatMapIterable((each) -> each)),
				row("window and back", (all) -> all.window(50).concatMap((each) -> each)),
				row("share", (all) -> all.share()), row("onBackpressureBuffer", Flux::onBackpressureBuffer),
				row("groupBy and back", (all) -> all.groupBy((each) -> 0).flatMap((each) -> each)),
				row("doOnDiscard", (all) -> all.doOnDiscard(Integer.class, (each) -> {
					throw new AssertionError("an element was lost");
				})));
		return sources().flatMap((source) -> operators.stream()
			.map((each) -> arguments(source.get()[0] + ", " + each.get()[0], source.get()[1], each.get()[1])));
	}

	private static Arguments row(String name, UnaryOperator<Flux<Integer>> operator) {
		return arguments(name, operator);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("table")
	void operator_getsEachElementOnce_andNoneBeyondDemand(String name, Function<Integer, Flux<Integer>> source,
			UnaryOperator<Flux<Integer>> operator) {
		AtomicInteger next = new AtomicInteger();
		StepVerifier.create(operator.apply(source.apply(MANY)), 0)
			.expectSubscription()
			.thenRequest(1)
			.expectNext(next.getAndIncrement())
			.thenRequest(5)
			.expectNext(1, 2, 3, 4, 5)
			.thenRequest(Long.MAX_VALUE)
			.expectNextSequence(IntStream.range(6, MANY).boxed().toList())
			.expectComplete()
			.verify(LONG);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("sources")
	void flatMap_hasAllElements_inAnyOrder(String name, Function<Integer, Flux<Integer>> source) {
		Flux<Integer> all = source.apply(500)
			.flatMap((each) -> remote.flux(2).map(Tick::number).publishOn(Schedulers.parallel()), 16);
		StepVerifier.create(all.reduce(0, Integer::sum)).expectNext(500).expectComplete().verify(LONG);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("sources")
	void take_cancelsRest(String name, Function<Integer, Flux<Integer>> source) {
		long before = feeds.produced.get();
		StepVerifier.create(source.apply(Integer.MAX_VALUE).take(3)).expectNext(0, 1, 2).expectComplete().verify(LONG);
		nothingIsLeft();
		assertThat(feeds.produced.get() - before).isLessThan(20_000);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("sources")
	void zip_waitsForSlowOne(String name, Function<Integer, Flux<Integer>> source) {
		Flux<Long> slow = Flux.interval(Duration.ofMillis(5)).onBackpressureBuffer();
		AtomicLong most = new AtomicLong();
		long before = feeds.produced.get();
		StepVerifier.create(source.apply(Integer.MAX_VALUE).zipWith(slow, (one, other) -> {
			most.accumulateAndGet(feeds.produced.get() - before, Math::max);
			return one - other;
		}).take(50)).expectNextCount(50).expectComplete().verify(LONG);
		assertThat(most.get()).as("elements that the server has made").isLessThan(20_000);
	}

	@Test
	void zipOfTwoStreams_isInStep() {
		StepVerifier.create(Flux.zip(numbers(remote.flux(1000)), numbers(remote.flux(700)), Integer::equals))
			.expectNextCount(699)
			.expectNext(true)
			.expectComplete()
			.verify(LONG);
	}

	@Test
	void retryWhen_makesCallAgain() {
		AtomicInteger calls = new AtomicInteger();
		Flux<Integer> failing = numbers(Flux.defer(() -> {
			calls.incrementAndGet();
			try {
				return remote.failing(3, Failure.STATUS);
			}
			catch (OutOfTicksException ex) {
				return Flux.error(ex);
			}
		})).retryWhen(Retry.fixedDelay(2, Duration.ofMillis(5)));
		StepVerifier.create(failing)
			.expectNext(0, 1, 2, 0, 1, 2, 0, 1, 2)
			.expectErrorSatisfies((ex) -> assertThat(ex).hasCauseInstanceOf(RpcException.class))
			.verify(LONG);
		assertThat(calls).hasValue(3);
	}

	@Test
	void repeat_makesCallAgain() {
		StepVerifier.create(numbers(remote.flux(2)).repeat(2))
			.expectNext(0, 1, 0, 1, 0, 1)
			.expectComplete()
			.verify(LONG);
	}

	@Test
	void share_makesOneCall_forTwoSubscribers() {
		int before = feeds.opened.get();
		Flux<Integer> shared = numbers(remote.flux(1000)).publish().refCount(2);
		StepVerifier.create(Flux.merge(shared, shared).count()).expectNext(2000L).expectComplete().verify(LONG);
		assertThat(feeds.opened.get() - before).isOne();
	}

	@Test
	void timeout_cancelsSilentStream() {
		int opened = feeds.opened.get();
		int before = feeds.cancelled.get();
		Flux<Long> untilOpen = Flux.interval(Duration.ofMillis(5))
			.filter((each) -> feeds.opened.get() > opened)
			.take(1);
		StepVerifier.create(remote.silent().timeout(untilOpen)).expectError(TimeoutException.class).verify(LONG);
		Eventually.until("its producer is cancelled", () -> feeds.cancelled.get() > before);
	}

}
