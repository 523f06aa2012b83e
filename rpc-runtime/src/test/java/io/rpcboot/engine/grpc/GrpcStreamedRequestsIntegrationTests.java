package io.rpcboot.engine.grpc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Streams of clients that are written by hand, down to the frames. */
class GrpcStreamedRequestsIntegrationTests extends AbstractGrpcEngine {

	private static final String PATH = "/io.rpcboot.engine.grpc.GrpcStreamedRequestsIntegrationTests.Takes/";

	private static final int LONG = 300_000;

	private static final int INVALID_ARGUMENT = 3;

	private static final int UNAUTHENTICATED = 16;

	private final TakesImpl takes = new TakesImpl();

	/** Methods that take streams. */
	public interface Takes {

		/** Takes an element when it is told to. */
		CompletableFuture<Long> slowly(Flow.Publisher<byte[]> elements);

		/** Answers while elements wait. */
		CompletableFuture<Long> early(Flow.Publisher<byte[]> elements);

		/** Takes one, and goes on without an answer. */
		CompletableFuture<Long> first(Flow.Publisher<byte[]> elements);

		/** Takes all. */
		CompletableFuture<Long> all(Flow.Publisher<byte[]> elements);

		/** Throws when it gets an element. */
		CompletableFuture<Long> broken(Flow.Publisher<byte[]> elements);

		long awaits(Iterator<byte[]> elements);

		/** Waits for the elements before it returns. */
		Stream<byte[]> awaitsBefore(Iterator<byte[]> elements);

		/** Sends elements of a size without end. */
		Flow.Publisher<byte[]> pour(int size);

	}

	/** Notes what its subscribers get. */
	private static final class TakesImpl implements Takes {

		private final BlockingQueue<Taker> takers = new LinkedBlockingQueue<>();

		private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

		private CompletableFuture<Long> take(Flow.Publisher<byte[]> elements, long first, boolean breaks) {
			Taker taker = new Taker(first, breaks);
			elements.subscribe(taker);
			this.takers.add(taker);
			return taker.sum;
		}

		@Override
		public CompletableFuture<Long> slowly(Flow.Publisher<byte[]> elements) {
			return take(elements, 1, false);
		}

		@Override
		public CompletableFuture<Long> early(Flow.Publisher<byte[]> elements) {
			take(elements, 1, false);
			return CompletableFuture.completedFuture(0L);
		}

		@Override
		public CompletableFuture<Long> first(Flow.Publisher<byte[]> elements) {
			Taker taker = new Taker(1, false);
			elements.subscribe(taker);
			this.takers.add(taker);
			return new CompletableFuture<>();
		}

		@Override
		public CompletableFuture<Long> all(Flow.Publisher<byte[]> elements) {
			return take(elements, Long.MAX_VALUE, false);
		}

		@Override
		public CompletableFuture<Long> broken(Flow.Publisher<byte[]> elements) {
			return take(elements, Long.MAX_VALUE, true);
		}

		@Override
		public long awaits(Iterator<byte[]> elements) {
			long sum = 0;
			try {
				while (elements.hasNext()) {
					sum += elements.next().length;
				}
				return sum;
			}
			catch (RpcException ex) {
				this.failures.add(ex);
				throw ex;
			}
		}

		@Override
		public Stream<byte[]> awaitsBefore(Iterator<byte[]> elements) {
			awaits(elements);
			return Stream.of();
		}

		@Override
		public Flow.Publisher<byte[]> pour(int size) {
			return (subscriber) -> subscriber.onSubscribe(new Flow.Subscription() {

				private boolean cancelled;

				private long demand;

				@Override
				public void request(long count) {
					this.demand += count;
					for (long sent = this.demand; this.demand == sent && sent > 0 && !this.cancelled; sent--) {
						this.demand--;
						subscriber.onNext(new byte[size]);
					}
				}

				@Override
				public void cancel() {
					this.cancelled = true;
				}

			});
		}

	}

	/** Subscriber that asks by hand. */
	private static final class Taker implements Flow.Subscriber<byte[]> {

		private final CompletableFuture<Long> sum = new CompletableFuture<>();

		private final CompletableFuture<Throwable> end = new CompletableFuture<>();

		private final long first;

		private final boolean breaks;

		private volatile Flow.Subscription subscription;

		private volatile int count;

		private long bytes;

		Taker(long first, boolean breaks) {
			this.first = first;
			this.breaks = breaks;
		}

		@Override
		public void onSubscribe(Flow.Subscription given) {
			this.subscription = given;
			given.request(this.first);
		}

		@Override
		public void onNext(byte[] element) {
			if (this.breaks) {
				throw new IllegalStateException("broken subscriber");
			}
			this.bytes += element.length;
			this.count++;
		}

		@Override
		public void onError(Throwable failure) {
			this.sum.completeExceptionally(failure);
			this.end.complete(failure);
		}

		@Override
		public void onComplete() {
			this.sum.complete(this.bytes);
			this.end.complete(null);
		}

		Throwable end() {
			return this.end.orTimeout(20, TimeUnit.SECONDS).join();
		}

	}

	@Override
	protected RpcServerBuilder builder() {
		return super.builder().service(Takes.class, this.takes);
	}

	private static GrpcExchange open(Http2Peer peer, String method) {
		return peer.open(GrpcBytes.request(PATH + method), false);
	}

	private static byte[] element(int length) {
		return GrpcBytes.message(GrpcBytes.field(1, new byte[length]));
	}

	private Taker taker() throws InterruptedException {
		Taker next = this.takes.takers.poll(20, TimeUnit.SECONDS);
		assertThat(next).isNotNull();
		Eventually.until("the first element is taken", () -> next.count == 1);
		return next;
	}

	/** End of a call whose elements have all arrived and are not all taken. */
	enum Ending {

		RESET, LOST_CONNECTION, ANSWER

	}

	@ParameterizedTest
	@EnumSource(Ending.class)
	void elementsThatWereNotTaken_areNotTakenForTheEnd(Ending how) throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = open(peer, (how == Ending.ANSWER) ? "Early" : "Slowly");
		for (int i = 0; i < 30; i++) {
			peer.data(call, element(10), i == 29);
		}
		Taker taker = (how == Ending.ANSWER) ? this.takes.takers.poll(20, TimeUnit.SECONDS) : taker();
		switch (how) {
			case RESET -> peer.reset(call, Http2Error.CANCEL);
			case LOST_CONNECTION -> peer.close();
			case ANSWER -> assertThat(call.await().status()).isZero();
		}
		assertThat(taker.end()).isInstanceOfSatisfying(RpcException.class,
				(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.CANCELLED));
	}

	@ParameterizedTest
	@ValueSource(strings = { "All", "Awaits" })
	void elementThatCannotBeRead_endsCall(String method) throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = open(peer, method);
		peer.data(call, element(10), false);
		peer.data(call, GrpcBytes.message((byte) 0x0a, (byte) 0x7f), false);
		assertThat(call.await().status()).isEqualTo(INVALID_ARGUMENT);
		assertThat(call.message()).contains("element 1 of the stream");
		awaitInFlight(0);
	}

	@Test
	void subscriberThatThrows_endsItsCall() throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = open(peer, "Broken");
		peer.data(call, element(10), false);
		awaitLogged("the subscriber has thrown; its stream is cancelled");
		awaitInFlight(0);
	}

	@Test
	void refusedCaller_leavesNoMemory() throws Exception {
		BlockingQueue<Integer> checks = new LinkedBlockingQueue<>();
		start(builder()
			.access(AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator((credentials) -> {
				checks.add(1);
				awaitElement();
				throw new RpcException(RpcStatus.UNAUTHENTICATED, "unknown", false);
			})));
		Http2Peer peer = connect();
		for (int i = 0; i < 40; i++) {
			GrpcExchange call = peer.open(GrpcBytes.request(PATH + "All").set("authorization", "Bearer t" + i), false);
			peer.data(call, element(60_000), false);
			assertThat(call.await().status()).isEqualTo(UNAUTHENTICATED);
		}
		assertThat(checks).hasSize(40);
		Eventually.until("memory is given back", () -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) < 300_000);
	}

	/** Lets elements arrive while the caller is not known. */
	private static void awaitElement() {
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void longElementThatIsNotWanted_doesNotHoldUpOthers(boolean isReset) throws Exception {
		Http2Peer peer = connect();
		GrpcExchange first = open(peer, "First");
		peer.data(first, element(10), false);
		Taker taker = taker();
		peer.data(first, Arrays.copyOf(element(LONG), 50_000), false);
		peer.awaitSent();
		if (isReset) {
			peer.reset(first, Http2Error.CANCEL);
		}
		else {
			taker.subscription.cancel();
		}
		GrpcExchange other = open(peer, "All");
		peer.data(other, element(LONG), true);
		assertThat(other.await().status()).isZero();
		if (!isReset) {
			peer.reset(first, Http2Error.CANCEL);
		}
	}

	/** Too little was taken before it to raise the window, of which it needs all. */
	@ParameterizedTest
	@ValueSource(ints = { 1000, 20_000, 30_000, 32_000 })
	void longElement_arrives_behindShortOne(int first) throws Exception {
		Http2Peer peer = connect();
		GrpcExchange call = open(peer, "All");
		peer.data(call, element(first), false);
		Taker taker = taker();
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50)); // its
																					// window
																					// is
																					// back
		peer.data(call, element(92_000), true);
		assertThat(call.await().status()).isZero();
		assertThat(taker.count).isEqualTo(2);
	}

	@Test
	void deadline_endsMethodThatWaitsForElements() throws Exception {
		Http2Peer peer = connect();
		for (String method : List.of("Awaits", "AwaitsBefore")) {
			peer.open(GrpcBytes.request(PATH + method).set("grpc-timeout", "200m"), false);
			assertThat(this.takes.failures.poll(20, TimeUnit.SECONDS)).isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		}
		awaitInFlight(0);
	}

	/** Some deadlines pass between two frames. */
	@Test
	void deadline_endsResponse_whereverItIs() throws Exception {
		Http2Peer peer = connect(new Http2Settings().initialWindowSize(1 << 30));
		List<GrpcExchange> calls = new ArrayList<>();
		for (int round = 0; round < 10; round++) {
			for (int i = 0; i < 4; i++) {
				GrpcExchange call = peer.open(GrpcBytes.request(PATH + "Pour").set("grpc-timeout", (30 + 3 * i) + "m"),
						false);
				peer.data(call, GrpcBytes.message(GrpcBytes.number(10_000)), true);
				calls.add(call);
			}
			peer.windowUpdate(0, 1 << 24);
			awaitInFlight(0);
		}
		assertThat(calls).hasSize(40);
	}

	@Test
	void methodThatWaits_isNotForEventLoop() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> builder().dispatch(Dispatch.EVENT_LOOP).start())
			.withMessageContaining("methods.awaits.dispatch: event-loop (expected: pool or virtual")
			.satisfies((ex) -> assertThat(ex.action()).contains("Flux"));
	}

}
