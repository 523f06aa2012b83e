package io.rpcboot.engine.stream;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Publishers and subscribers that break the rules of reactive streams. */
@Timeout(60)
class OddStreamsIntegrationTests {

	private static final int LIMIT = 1 << 20;

	private final OddStreamsImpl odd = new OddStreamsImpl();

	private final LeakWatch leaks = new LeakWatch();

	private RpcServer server;

	private RpcClient client;

	private OddStreams remote;

	@BeforeEach
	void start() {
		start(MemoryOptions.defaults());
	}

	private void start(MemoryOptions memory) {
		this.server = RpcServer.builder()
			.port(0)
			.memory(memory)
			.maxFrameSize(LIMIT)
			.service(OddStreams.class, this.odd)
			.start();
		this.client = RpcClient.builder().maxFrameSize(LIMIT).build();
		this.remote = this.client.reference(OddStreams.class, grpc());
	}

	private ReferenceOptions grpc() {
		return ReferenceStates.at(this.server).withProtocol(Protocol.GRPC);
	}

	@AfterEach
	void stop() {
		Eventually.until("no call is left", () -> this.server.inFlightCalls() == 0 && this.client.pendingCalls() == 0);
		this.client.close();
		this.server.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private static List<Tick> ticks(int count) {
		return IntStream.range(0, count).mapToObj(Tick::of).toList();
	}

	private static List<Tick> all(Flow.Publisher<Tick> ticks) {
		return JdkFlowAdapter.flowPublisherToFlux(ticks).collectList().block();
	}

	private static RpcException failure(Runnable call) {
		Throwable thrown = catchThrowable(call::run);
		return (RpcException) ((thrown instanceof CompletionException) ? thrown.getCause() : thrown);
	}

	@Test
	void publisherThatIgnoresDemand_losesNothing() {
		assertThat(all(this.remote.greedy(5000))).isEqualTo(ticks(5000));
	}

	@Test
	void publisherThatIgnoresDemand_isBoundedByMemory() {
		stop();
		start(MemoryOptions.defaults().withLimit(26 << 20));
		Taking slow = new Taking(1);
		this.remote.greedy(1_000_000).subscribe(slow);
		Eventually.until("the publisher is cancelled", () -> this.odd.cancelled.get() == 1);
		slow.subscription.request(Long.MAX_VALUE);
		RpcException failed = failure(() -> slow.end.orTimeout(10, TimeUnit.SECONDS).join());
		assertThat(failed.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(failed).hasMessageContaining("rpc.server.memory.limit");
		assertThat(slow.taken).isEqualTo(ticks(slow.taken.size()));
	}

	@Test
	void signalsBehindEnd_areIgnored() {
		assertThat(all(this.remote.beyondEnd())).isEqualTo(ticks(1));
	}

	@Test
	void publisherThatThrows_failsItsCall() {
		RpcException subscribe = failure(() -> all(this.remote.unsubscribable()));
		assertThat(subscribe.status()).isEqualTo(RpcStatus.APPLICATION);
		RpcException request = failure(() -> all(this.remote.unaskable()));
		assertThat(request.status()).isEqualTo(RpcStatus.APPLICATION);
	}

	@Test
	void iteratorThatThrowsInHasNext_failsBehindItsElements() {
		Iterator<Tick> ticks = this.remote.failing(40);
		List<Tick> taken = new ArrayList<>();
		RpcException failed = failure(() -> ticks.forEachRemaining(taken::add));
		assertThat(failed.status()).isEqualTo(RpcStatus.APPLICATION);
		assertThat(taken).isEqualTo(ticks(40));
		RpcException ofCaller = failure(() -> this.remote.sum(OddStreamsImpl.failingIterator(40)));
		assertThat(ofCaller.status()).isEqualTo(RpcStatus.CANCELLED);
		assertThat(ofCaller).hasMessageContaining("40 elements").hasRootCauseMessage("the cursor is gone");
	}

	@Test
	void elementOverLimit_endsStream_andNamesLimit() {
		RpcException failed = failure(() -> this.remote.large(2 * LIMIT).blockLast());
		assertThat(failed).hasMessageContaining("max-frame-size");
		assertThat(this.remote.large(LIMIT / 2).count().block()).isEqualTo(2);
	}

	@Test
	void secondSubscriberOfParameter_isRefused_andFirstGoesOn() {
		assertThat(this.remote.twoSubscribers(Flux.fromIterable(ticks(100)))).startsWith("4950: ")
			.contains("second subscriber");
	}

	/** Takes all elements, or the first ones. */
	private static class Taking implements Flow.Subscriber<Tick> {

		final List<Tick> taken = new ArrayList<>();

		final CompletableFuture<Void> end = new CompletableFuture<>();

		private final long asked;

		Flow.@Nullable Subscription subscription;

		Taking(long asked) {
			this.asked = asked;
		}

		@Override
		public void onSubscribe(Flow.Subscription given) {
			this.subscription = given;
			if (this.asked != 0) {
				given.request(this.asked);
			}
		}

		@Override
		public void onNext(Tick tick) {
			this.taken.add(tick);
		}

		@Override
		public void onError(Throwable failure) {
			this.end.completeExceptionally(failure);
		}

		@Override
		public void onComplete() {
			this.end.complete(null);
		}

	}

	private static Flow.Publisher<Tick> publisher(Flux<Tick> ticks) {
		return JdkFlowAdapter.publisherToFlowPublisher(ticks);
	}

	@Test
	void wrongDemand_failsSubscriber_andCancelsCall() {
		for (long count : new long[] { -1, Long.MIN_VALUE }) {
			Taking taking = new Taking(count);
			publisher(this.remote.ticks(1_000_000)).subscribe(taking);
			assertThat(taking.end).failsWithin(10, TimeUnit.SECONDS)
				.withThrowableOfType(ExecutionException.class)
				.withMessageContaining("expected");
			assertThat(taking.taken).isEmpty();
		}
	}

	@Test
	void cancelInOnNext_isTheLastElement() {
		Taking taking = new Taking(Long.MAX_VALUE) {

			@Override
			public void onNext(Tick tick) {
				super.onNext(tick);
				this.subscription.cancel();
			}

		};
		publisher(this.remote.ticks(1_000_000)).subscribe(taking);
		Eventually.until("the producer is cancelled", () -> this.odd.cancelled.get() == 1);
		assertThat(taking.taken).isEqualTo(ticks(1));
		assertThat(taking.end).isNotDone();
	}

	@Test
	void subscriberThatThrows_isLogged_andCancelsCall() {
		try (LogRecorder log = new LogRecorder("rpc.client")) {
			this.remote.greedy(5000).subscribe(new Taking(Long.MAX_VALUE) {

				@Override
				public void onNext(Tick tick) {
					super.onNext(tick);
					throw new IllegalStateException("no more of this");
				}

			});
			Eventually.until("it is logged",
					() -> log.messages().stream().anyMatch((line) -> line.contains("the subscriber has thrown")));
		}
		assertThat(all(this.remote.greedy(3))).hasSize(3);
	}

	/** Makes streams, and takes some elements of two of them. */
	private void forgetStreams() {
		this.remote.stream(1_000_000);
		assertThat(this.remote.stream(1_000_000).iterator().next()).isEqualTo(Tick.of(0));
		assertThat(this.remote.failing(1_000_000).next()).isEqualTo(Tick.of(0));
	}

	@Test
	void streamThatIsForgotten_isCancelled_andLogged() {
		assertThat(this.remote.stream(10).toList()).as("taken to its end, and not closed").hasSize(10);
		try (LogRecorder log = new LogRecorder("rpc.client")) {
			forgetStreams();
			Eventually.until("they are cancelled", () -> {
				System.gc();
				return this.server.inFlightCalls() == 0;
			});
			assertThat(this.odd.closed).hasValue(3);
			Eventually.until("it is logged", () -> log.messages().size() >= 2);
			assertThat(log.messages()).hasSize(2)
				.allMatch((line) -> line.contains("its caller has forgotten it"))
				.anyMatch((line) -> line.contains("stream(int)"))
				.anyMatch((line) -> line.contains("failing(int)"));
		}
	}

	@Test
	void streamInUse_isNotForgotten() {
		try (Stream<Tick> ticks = this.remote.stream(200_000)) {
			AtomicInteger count = new AtomicInteger();
			ticks.forEach((each) -> {
				if (count.incrementAndGet() % 20_000 == 0) {
					System.gc();
				}
			});
			assertThat(count).hasValue(200_000);
		}
	}

	@Test
	void broadcast_refusesStreams() {
		Broadcast<OddStreams> every = Broadcast.to(this.remote);
		assertThatIllegalArgumentException().isThrownBy(() -> every.call((each) -> each.ticks(1)))
			.withMessageContaining("returns a stream");
	}

}
