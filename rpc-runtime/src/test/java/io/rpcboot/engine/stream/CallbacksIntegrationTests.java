package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Reports.NoNameException;
import io.rpcboot.engine.stream.Reports.Progress;
import io.rpcboot.engine.stream.Reports.Report;
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
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Methods that call back, between a client and a server. */
@Tag("jdk25")
@Timeout(120)
public class CallbacksIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final Service service = new Service();

	private final LeakWatch leaks = new LeakWatch();

	private RpcServer server;

	private RpcClient client;

	private Reports remote;

	@BeforeEach
	void start() {
		start(Dispatch.POOL, Protocol.GRPC);
	}

	private void start(Dispatch dispatch, Protocol protocol) {
		this.server = RpcServer.builder().port(0).dispatch(dispatch).service(Reports.class, this.service).start();
		this.client = RpcClient.builder().build();
		this.remote = this.client.reference(Reports.class, at(protocol));
	}

	/** Returns how clients find a server. */
	protected ReferenceOptions at(RpcServer called) {
		return ReferenceStates.at(called);
	}

	/** Returns true if clients may call by a protocol. */
	protected boolean speaks(Protocol protocol) {
		return true;
	}

	private ReferenceOptions at(Protocol protocol) {
		return at(this.server).withProtocol(protocol);
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

	/** Service whose method is that of the test. */
	private static final class Service implements Reports {

		private volatile Function<Progress, List<Integer>> body = (progress) -> List.of();

		/** Failure that the body has seen. */
		private final AtomicReference<Throwable> seen = new AtomicReference<>();

		private volatile Thread thread;

		@Override
		public String plain(String text) {
			return text;
		}

		@Override
		public Report build(String id, Progress progress) {
			this.thread = Thread.currentThread();
			return new Report(id, this.body.apply(progress));
		}

		@Override
		public CompletableFuture<Report> background(String id, Progress progress) {
			return CompletableFuture.completedFuture(build(id, progress));
		}

		@Override
		public CompletableFuture<Report> later(Progress progress, String id) {
			return progress.next(1)
				.thenCombine(progress.next(2), (one, other) -> List.of(one, other))
				.thenApply((steps) -> new Report(id, steps));
		}

		@Override
		public Mono<Report> reactive(String id, Progress progress) {
			return progress.nextMono(1)
				.flatMap((one) -> progress.nextMono(one).map((other) -> new Report(id, List.of(one, other))));
		}

		@Override
		public void nothing(Progress progress) {
			progress.percent(100);
		}

		@Override
		public int both(Progress first, Names second) throws NoNameException {
			int length = 0;
			for (int i = 0; i < 3; i++) {
				String name = second.name(i);
				length += name.length();
				first.goOn(name);
				first.percent(i);
			}
			return length;
		}

		/** Keeps what a callback throws, and throws it. */
		private <T> T seen(Supplier<T> call) {
			try {
				return call.get();
			}
			catch (RuntimeException ex) {
				this.seen.compareAndSet(null, ex);
				throw ex;
			}
		}

	}

	private void restart(Dispatch dispatch, Protocol protocol) {
		this.client.close();
		this.server.close();
		start(dispatch, protocol);
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void callbacks_areCalledInOrder_byEachProtocol(Protocol protocol) {
		assumeTrue(speaks(protocol));
		restart(Dispatch.POOL, protocol);
		exchange();
		assertThat(this.remote.plain("single")).isEqualTo("single");
	}

	@Test
	void callbacks_areCalledInOrder_fromVirtualThreads() {
		assumeTrue(Runtime.version().feature() >= 21);
		restart(Dispatch.VIRTUAL, Protocol.GRPC);
		exchange();
		assertThat(this.service.thread.getName()).startsWith("rpc-virtual");
	}

	private void exchange() {
		this.service.body = (progress) -> {
			List<Integer> steps = new ArrayList<>();
			for (int i = 0; i < 100; i++) {
				progress.percent(i);
				steps.add(progress.next(i).join());
			}
			assertThat(progress.goOn("a step")).isTrue();
			assertThat(progress.goOn("")).isFalse();
			assertThat(progress.twice("")).isEqualTo("false false");
			assertThat(progress.data(new byte[300_000])).hasSize(300_000);
			assertThat(progress.hurried()).isOne();
			assertThat(progress).hasToString("callback progress of " + Reports.class.getName()
					+ ".build(java.lang.String,io.rpcboot.engine.stream.Reports$Progress)");
			assertThat(progress).isEqualTo(progress).isNotEqualTo("other").hasSameHashCodeAs(progress);
			return steps;
		};
		ProgressRecorder progress = new ProgressRecorder();
		Report report = this.remote.build("one", progress);
		assertThat(report).isEqualTo(new Report("one", IntStream.rangeClosed(1, 100).boxed().toList()));
		assertThat(progress.done).isEqualTo(IntStream.range(0, 100).boxed().toList());
		assertThat(progress.thread).isEqualTo(Thread.currentThread());
		assertThat(this.remote.later(progress, "two").join()).isEqualTo(new Report("two", List.of(2, 3)));
		assertThat(this.remote.reactive("three", progress).block()).isEqualTo(new Report("three", List.of(2, 3)));
		this.remote.nothing(progress);
		assertThat(progress.done).last().isEqualTo(100);
	}

	@Test
	void tenThousandCalls_arriveInOrder() {
		this.service.body = (progress) -> {
			IntStream.range(0, 10_000).forEach(progress::percent);
			return List.of();
		};
		List<Integer> percents = new ArrayList<>();
		this.remote.build("one", new ProgressRecorder() {

			@Override
			public void percent(int percent) {
				percents.add(percent);
			}

		});
		assertThat(percents).isEqualTo(IntStream.range(0, 10_000).boxed().toList());
	}

	@Test
	void twoCallbacks_areTold_andDeclaredExceptionIsItself() throws Exception {
		ProgressRecorder progress = new ProgressRecorder();
		assertThat(this.remote.both(progress, (number) -> "name " + number)).isEqualTo(18);
		assertThat(progress.done).containsExactly(0, 1, 2);
		assertThatExceptionOfType(NoNameException.class).isThrownBy(() -> this.remote.both(progress, (number) -> {
			throw new NoNameException("none of " + number);
		})).withMessage("none of 0");
	}

	@Test
	void exceptionOfCallback_isNestedFailureAtServer() {
		this.service.body = (progress) -> this.service.seen(() -> List.of(progress.goOn("") ? 1 : 0));
		Throwable failure = catchThrowable(() -> this.remote.build("one", new ProgressRecorder() {

			@Override
			public boolean goOn(String step) {
				throw new IllegalArgumentException("a secret");
			}

		}));
		assertThat(this.service.seen.get()).isInstanceOfSatisfying(RpcException.class, (ex) -> {
			assertThat(ex.status()).isEqualTo(RpcStatus.APPLICATION);
			assertThat(ex.calledMethod()).isEqualTo(Progress.class.getName() + ".goOn(java.lang.String)");
			assertThat(ex).hasMessageContaining("java.lang.IllegalArgumentException").hasMessageNotContaining("secret");
		});
		assertThat(failure).isInstanceOfSatisfying(RpcException.class, (ex) -> {
			assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE);
			assertThat(ex).hasMessageContaining("while it called " + Progress.class.getName() + ".goOn");
		});
	}

	@Test
	void statusOfCallback_arrivesAtServer_whichGoesOn() {
		this.service.body = (progress) -> {
			RpcException failure = (RpcException) catchThrowable(() -> progress.goOn("step"));
			assertThat(failure.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION);
			assertThat(failure).hasMessageContaining("not now");
			assertThat(progress.next(1)).failsWithin(LONG)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(RpcException.class)
				.withMessageContaining("later");
			progress.percent(1);
			return List.of(1);
		};
		ProgressRecorder progress = new ProgressRecorder() {

			@Override
			public boolean goOn(String step) {
				throw new RpcException(RpcStatus.FAILED_PRECONDITION, "not now", true);
			}

			@Override
			public CompletableFuture<Integer> next(int number) {
				return CompletableFuture.failedFuture(new RpcException(RpcStatus.RESOURCE_EXHAUSTED, "later", true));
			}

		};
		assertThat(this.remote.build("one", progress).steps()).containsExactly(1);
		assertThat(progress.done).containsExactly(1);
	}

	@Test
	void callback_isOver_whenItsCallIs() {
		AtomicReference<Progress> kept = new AtomicReference<>();
		this.service.body = (progress) -> {
			kept.set(progress);
			return List.of();
		};
		this.remote.build("one", new ProgressRecorder());
		assertThatIllegalStateException().isThrownBy(() -> kept.get().percent(1))
			.withMessage(
					"callback progress of %s.build(java.lang.String,%s): %s.percent(int) is called, but the call has ended",
					Reports.class.getName(), Progress.class.getName(), Progress.class.getName());
		assertThat(kept.get().next(1)).failsWithin(Duration.ZERO)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(IllegalStateException.class);
	}

	/** Threads of a server with fewer than the calls wait, and no reply needs another. */
	@Test
	void callsOfAllThreads_goOn_whileEachWaitsForReply() {
		this.client.close();
		this.server.close();
		this.server = RpcServer.builder().port(0).maxThreads(2).service(Reports.class, this.service).start();
		this.client = RpcClient.builder().build();
		this.remote = this.client.reference(Reports.class, at(Protocol.GRPC));
		this.service.body = (progress) -> {
			IntStream.range(0, 200).forEach(progress::percent);
			return List.of();
		};
		List<ProgressRecorder> all = IntStream.range(0, 10).mapToObj((i) -> new ProgressRecorder()).toList();
		List<CompletableFuture<Void>> calls = all.stream()
			.map((each) -> CompletableFuture.runAsync(() -> this.remote.build("one", each),
					(task) -> new Thread(task).start()))
			.toList();
		calls.forEach(CompletableFuture::join);
		assertThat(all).allSatisfy((each) -> assertThat(each.done).hasSize(200));
	}

	@Test
	void slowCallback_holdsItsMethodAlone() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch reached = new CountDownLatch(1);
		this.service.body = (progress) -> {
			IntStream.range(0, 3).forEach(progress::percent);
			return List.of();
		};
		ProgressRecorder slow = new ProgressRecorder() {

			@Override
			public void percent(int percent) {
				reached.countDown();
				await(release);
				super.percent(percent);
			}

		};
		CompletableFuture<Report> held = CompletableFuture.supplyAsync(() -> this.remote.build("slow", slow));
		await(reached);
		for (int i = 0; i < 50; i++) {
			ProgressRecorder quick = new ProgressRecorder();
			this.remote.build("quick", quick);
			assertThat(quick.done).hasSize(3);
		}
		assertThat(slow.done).isEmpty();
		assertThat(held).isNotDone();
		release.countDown();
		held.join();
		assertThat(slow.done).containsExactly(0, 1, 2);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Callback that replies once it is released. */
	private static final class Held extends ProgressRecorder {

		private final CountDownLatch reached = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		@Override
		public boolean goOn(String step) {
			this.reached.countDown();
			await(this.release);
			return true;
		}

		@Override
		public int hurried() {
			await(this.release);
			return 1;
		}

	}

	/** A method that waits for its callback in its thread. */
	private Held waiting() {
		this.service.body = (progress) -> this.service.seen(() -> List.of(progress.goOn("") ? 1 : 0));
		return new Held();
	}

	/** The thread of the method goes on before the callback has. */
	private void assertThatBothSidesEnd(CompletableFuture<Report> call, Held held, RpcStatus ofCaller,
			RpcStatus... ofServer) {
		Eventually.until("the method has failed", () -> this.service.seen.get() != null);
		assertThat(this.service.seen.get()).isInstanceOfSatisfying(RpcException.class,
				(ex) -> assertThat(ex.status()).isIn((Object[]) ofServer));
		held.release.countDown();
		assertThat(call).failsWithin(LONG)
			.withThrowableOfType(Exception.class)
			.satisfies((ex) -> assertThat((ex.getCause() != null) ? ex.getCause() : ex).satisfiesAnyOf(
					(cause) -> assertThat(cause).isInstanceOf(CancellationException.class),
					(cause) -> assertThat(((RpcException) cause).status()).isEqualTo(ofCaller)));
	}

	/** The client cancels at the deadline, and may be the first. */
	@Test
	void methodInCallback_endsAtOnce_whenTimeIsOver() throws Exception {
		Held held = waiting();
		CompletableFuture<Report> call = CallOptions.none()
			.timeout(Duration.ofMillis(300))
			.call(() -> this.remote.background("one", held));
		assertThatBothSidesEnd(call, held, RpcStatus.DEADLINE_EXCEEDED, RpcStatus.DEADLINE_EXCEEDED,
				RpcStatus.CANCELLED);
	}

	@Test
	void methodInCallback_endsAtOnce_whenCallerCancels() {
		Held held = waiting();
		CompletableFuture<Report> call = this.remote.background("one", held);
		await(held.reached);
		call.cancel(true);
		assertThatBothSidesEnd(call, held, RpcStatus.CANCELLED, RpcStatus.CANCELLED);
	}

	@Test
	void methodInCallback_endsAtOnce_whenConnectionIsLost() {
		Held held = waiting();
		CompletableFuture<Report> call = this.remote.background("one", held);
		await(held.reached);
		this.client.close();
		assertThatBothSidesEnd(call, held, RpcStatus.UNAVAILABLE, RpcStatus.CANCELLED);
	}

	@Test
	void timeoutOfCallback_endsWait_andLateReplyIsIgnored() {
		Held held = new Held();
		this.service.body = (progress) -> {
			RpcException late = (RpcException) catchThrowable(progress::hurried);
			assertThat(late.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
			assertThat(late).hasMessageContaining("has not replied for 200 ms");
			held.release.countDown();
			progress.percent(1);
			return List.of(1);
		};
		assertThat(this.remote.background("one", held).join().steps()).containsExactly(1);
		assertThat(held.done).containsExactly(1);
	}

	@Test
	void callsWithFutures_areBounded() {
		this.service.body = (progress) -> {
			List<CompletableFuture<Integer>> all = IntStream.range(0, 300).mapToObj(progress::next).toList();
			List<CompletableFuture<Integer>> refused = all.stream()
				.filter(CompletableFuture::isCompletedExceptionally)
				.toList();
			assertThat(refused).hasSizeBetween(1, 44);
			assertThat(refused.get(0)).failsWithin(LONG)
				.withThrowableOfType(ExecutionException.class)
				.withMessageContaining("256 calls wait for their replies");
			return List.of(all.size() - refused.size());
		};
		List<CompletableFuture<Integer>> taken = new CopyOnWriteArrayList<>();
		ProgressRecorder silent = new ProgressRecorder() {

			@Override
			public CompletableFuture<Integer> next(int number) {
				CompletableFuture<Integer> next = new CompletableFuture<>();
				taken.add(next);
				return next;
			}

		};
		assertThat(this.remote.build("one", silent).steps()).allMatch((count) -> count >= 256);
		assertThat(taken).as("calls that the client takes without a reply").hasSizeLessThanOrEqualTo(32);
	}

	@Test
	void callback_callsOtherServices_andHasContextOfCaller() {
		this.service.body = (progress) -> List.of(progress.goOn("x") ? 1 : 0);
		assertThat(this.remote.build("one", new ProgressRecorder() {

			@Override
			public boolean goOn(String step) {
				return CallbacksIntegrationTests.this.remote.plain(step).equals("x");
			}

		}).steps()).containsExactly(1);
	}

	@Test
	void callbackThatIsNull_isRefusedAtCaller() {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.remote.build("one", null))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT))
			.withMessageContaining("argument 2, progress, is null (expected: a callback");
		assertThat(this.remote.background("one", null)).isCompletedExceptionally();
	}

	@Test
	void argumentThatCannotBeSent_failsCallOfCallback() {
		this.service.body = (progress) -> {
			RpcException failure = (RpcException) catchThrowable(() -> progress.data(new byte[32 << 20]));
			assertThat(failure.status()).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(failure).hasMessageContaining("the arguments cannot be sent");
			return List.of();
		};
		assertThat(this.remote.build("one", new ProgressRecorder()).steps()).isEmpty();
	}

}
