package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.RpcStream;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ShutdownReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Streams without Reactor and Flow, and what they learn of a drain. */
@Timeout(60)
class RpcStreamsIntegrationTests {

	private static final Duration GRACE = Duration.ofSeconds(20);

	private final PushesImpl pushes = new PushesImpl();

	private final LeakWatch leaks = new LeakWatch();

	private RpcServer server;

	private RpcClient client;

	private Pushes remote;

	@BeforeEach
	void start() {
		start((builder) -> {
		});
	}

	private void start(Consumer<RpcServerBuilder> settings) {
		RpcServerBuilder builder = RpcServer.builder().port(0).service(Pushes.class, this.pushes);
		settings.accept(builder);
		this.server = builder.start();
		this.client = RpcClient.builder().build();
		this.remote = this.client.reference(Pushes.class, ReferenceStates.at(this.server));
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	/** Sends ticks for as long as they are wanted, at most some. */
	private static RpcStream<Tick> upload(int count) {
		RpcStream<Tick> ticks = RpcStream.create();
		AtomicInteger next = new AtomicInteger();
		ticks.onReady(() -> {
			while (ticks.isReady()) {
				ticks.send(Tick.of(next.getAndIncrement()));
				if (next.get() == count) {
					ticks.complete();
				}
			}
		});
		return ticks;
	}

	@Test
	void values_arriveInOrder_inBothDirections() {
		List<Tick> expected = IntStream.range(0, 5000).mapToObj(Tick::of).toList();
		assertThat(this.remote.sum(upload(5000))).isEqualTo(5000L * 4999 / 2);
		List<Tick> echoed = new ArrayList<>();
		this.remote.echo(upload(5000)).forEach(echoed::add).join();
		assertThat(echoed).isEqualTo(expected);
	}

	@Test
	void failure_followsValues() throws Exception {
		List<Tick> taken = new ArrayList<>();
		CompletableFuture<Void> end = this.remote.failing(100).forEach(taken::add);
		assertThat(catchThrowable(end::join)).hasCauseInstanceOf(OutOfTicksException.class);
		assertThat(taken).hasSize(100);
	}

	@Test
	void slowReceiver_slowsSender_andItsCancelEndsIt() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		RpcStream<Tick> ticks = this.remote.ticks(0);
		AtomicInteger taken = new AtomicInteger();
		CompletableFuture<Void> end = ticks.forEach((each) -> {
			taken.incrementAndGet();
			try {
				release.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		Eventually.until("the sender pauses", this::isQuiet);
		assertThat(this.pushes.sent.get()).isLessThan(50_000);
		ticks.cancel();
		release.countDown();
		assertThat(end).isCancelled();
		Eventually.until("the sender is cancelled", () -> this.pushes.cancelled.get() == 1);
		assertThat(taken.get()).isLessThan(50_000);
	}

	/** Returns true after 50 ms without another tick. */
	private boolean isQuiet() {
		long sent = this.pushes.sent.get();
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50));
		return sent > 0 && sent == this.pushes.sent.get();
	}

	@Test
	void producerAtServer_endsInItsWay_whenServerDrains() {
		List<Tick> taken = new ArrayList<>();
		AtomicInteger drained = new AtomicInteger();
		RpcStream<Tick> ticks = this.remote.ticks(0);
		ticks.onDrain(drained::incrementAndGet);
		CompletableFuture<Void> end = ticks.forEach(taken::add);
		Eventually.until("ticks flow", () -> this.pushes.sent.get() > 1000);
		ShutdownReport report = this.server.shutdown(GRACE);
		assertThat(end).succeedsWithin(Duration.ofSeconds(10));
		assertThat(taken).hasSize((int) this.pushes.sent.get());
		assertThat(this.pushes.drained).hasValue(1);
		assertThat(drained).as("the receiver has learned of it, too").hasValue(1);
		assertThat(report.cutCalls()).isZero();
		assertThat(report.drainedCalls()).isOne();
		assertThat(this.pushes.cancelled).hasValue(0);
	}

	@Test
	void callerThatSends_endsInItsWay_whenItsServerDrains() throws Exception {
		RpcStream<Tick> ticks = upload(Integer.MAX_VALUE);
		ticks.onDrain(ticks::complete);
		CompletableFuture<Long> sum = CompletableFuture.supplyAsync(() -> this.remote.sum(ticks), (task) -> {
			Thread caller = new Thread(task);
			caller.setDaemon(true);
			caller.start();
		});
		Eventually.until("the upload has begun", () -> this.server.inFlightCalls() == 1);
		ShutdownReport report = this.server.shutdown(GRACE);
		assertThat(sum.get(10, TimeUnit.SECONDS)).isNotNegative();
		assertThat(this.pushes.drained).as("the method has learned of it, too").hasValue(1);
		assertThat(report.cutCalls()).isZero();
	}

	/** Its receiver goes on where it was, at the server that is there next. */
	@Test
	void stream_goesOnElsewhere_whenItsConnectionGrowsOld() throws Exception {
		stop();
		start((builder) -> builder.connectionMaxAge(Duration.ofMillis(300), Duration.ofSeconds(10)));
		List<Tick> taken = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			this.remote.ticks(taken.size()).forEach(taken::add).get(20, TimeUnit.SECONDS);
		}
		assertThat(this.pushes.drained).hasValue(3);
		assertThat(taken).isEqualTo(IntStream.range(0, taken.size()).mapToObj(Tick::of).toList());
	}

	@Test
	void streamsThatGoOn_areCutNamedAndCounted() {
		this.pushes.isStubborn = true;
		List<CompletableFuture<Void>> ends = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			ends.add(this.remote.ticks(0).forEach((each) -> {
			}));
		}
		Eventually.until("all flow", () -> this.server.inFlightCalls() == 3);
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			ShutdownReport report = this.server.shutdown(Duration.ofMillis(200));
			assertThat(report.cutCalls()).isEqualTo(3);
			assertThat(log.messages()).anySatisfy((line) -> assertThat(line).contains("3 open streams are cut",
					Pushes.class.getName() + ".ticks(int)=3", "onDrain()"));
		}
		assertThat(this.pushes.drained).hasValue(3);
		assertThat(ends).allSatisfy((end) -> assertThat(catchThrowable(end::join)).cause()
			.isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE)));
		Eventually.until("producers are cancelled", () -> this.pushes.cancelled.get() == 3);
	}

	@Test
	void uploadThatIsNotSent_isCancelled() {
		this.server.close();
		RpcStream<Tick> ticks = upload(10);
		AtomicInteger cancelled = new AtomicInteger();
		ticks.onCancel(cancelled::incrementAndGet);
		assertThat(catchThrowable(() -> this.remote.sum(ticks))).isInstanceOf(RpcException.class);
		Eventually.until("its producer knows", () -> cancelled.get() == 1);
	}

}
