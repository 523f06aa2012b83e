package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.Memory;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.RefusedException;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.workload.Page;
import io.rpcboot.workload.User;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Calls of every kind from many threads over one connection. 100,000 calls;
 * {@code mvn verify -Drpc.test.long=true} makes it 1,000,000.
 */
class MixedLoadIntegrationTests {

	private static final int CALLS = Load.LONG ? 1_000_000 : 50_000;

	private static final int THREADS = 64;

	private static final int KINDS = 12;

	private final CallsImpl implementation = new CallsImpl();

	private final AtomicLong numbers = new AtomicLong();

	private final AtomicLong oneWayCalls = new AtomicLong();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

	private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

	private Calls calls;

	private UserService users;

	@BeforeEach
	void start() {
		ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
	}

	@AfterEach
	void stop() {
		ResourceLeakDetector.setLevel(this.levelBefore);
		this.executor.shutdownNow();
	}

	@Test
	void mixedCalls_returnCorrectResults_withoutLeaks() throws Exception {
		try (LogRecorder leaks = new LogRecorder(ResourceLeakDetector.class.getName());
				RpcServer server = RpcServer.builder()
					.port(0)
					.service(Calls.class, this.implementation)
					.service(UserService.class, new UserServiceImpl())
					.build()
					.start();
				RpcClient client = RpcClient.builder()
					.timeout(Duration.ofSeconds(20))
					.waitForInstance(Duration.ofSeconds(20))
					.build()) {
			this.calls = client.reference(Calls.class, ReferenceStates.at(server));
			this.users = client.reference(UserService.class, ReferenceStates.at(server));
			run(CALLS / 5);
			awaitEnd(server, client);
			long early = Memory.usedHeap();
			run(CALLS - CALLS / 5);
			awaitEnd(server, client);
			assertThat(server.connections()).hasSize(1);
			assertThat(Memory.usedHeap() - early).as("growth of the heap").isLessThan(Memory.TOLERANCE);
			Memory.makeLeaksShow();
			assertThat(leaks.messages()).isEmpty();
		}
	}

	@Test
	void leakDetector_reportsLeakedBuffer() {
		try (LogRecorder leaks = new LogRecorder(ResourceLeakDetector.class.getName())) {
			leak();
			Eventually.until("the leak made here is reported", () -> {
				Memory.makeLeaksShow();
				return leaks.messages().stream().anyMatch((message) -> message.contains("LEAK"));
			});
		}
	}

	private static void leak() {
		PooledByteBufAllocator.DEFAULT.directBuffer(64);
	}

	private void run(int count) throws InterruptedException {
		long last = this.numbers.get() + count;
		CountDownLatch ended = new CountDownLatch(THREADS);
		for (int i = 0; i < THREADS; i++) {
			this.executor.execute(() -> {
				callUntil(last);
				ended.countDown();
			});
		}
		assertThat(ended.await(10, TimeUnit.MINUTES)).isTrue();
		assertThat(this.failures).isEmpty();
	}

	private void callUntil(long last) {
		for (long n = next(last); n > 0; n = next(last)) {
			try {
				call(n);
			}
			catch (Throwable ex) {
				this.failures.add(ex);
				return;
			}
		}
	}

	/** The next number, or -1 when there is none. */
	private long next(long last) {
		long number = this.numbers.getAndUpdate((before) -> Math.min(before + 1, last));
		return (number < last) ? number + 1 : -1;
	}

	private void call(long n) throws Exception {
		switch ((int) (n % KINDS)) {
			case 0 -> assertThat(this.users.existUser("a" + n % 10)).isEqualTo(n % 10 >= 5);
			case 1 ->
				assertThat(this.users.createUser(n % 5 == 0 ? null : UserServiceImpl.newUser(n))).isEqualTo(n % 5 != 0);
			case 2 -> checkUser(this.users.getUser(n), n, "Doug Lea");
			case 3 -> checkPage(this.users.listUser((int) n), (int) n);
			case 4 -> checkEcho((int) (n % 300), n);
			case 5 -> checkEcho((n % 20 == 5) ? 100_000 : 1000, n);
			case 6 -> assertThat(this.calls.later("n" + n).get(20, TimeUnit.SECONDS)).isEqualTo("later n" + n);
			case 7 -> {
				this.calls.notice("");
				this.oneWayCalls.incrementAndGet();
			}
			case 8 -> checkRefusal(n);
			case 9 -> assertThat(this.calls.reverse(List.of("a", "n" + n))).containsExactly("n" + n, "a");
			case 10 -> checkBatch(n);
			default -> assertThat(this.calls.add((int) n, 7)).isEqualTo((int) n + 7);
		}
	}

	private static void checkUser(User user, long id, String name) {
		assertThat(user.getId()).isEqualTo(id);
		assertThat(user.getName()).isEqualTo(name);
		assertThat(user.getPermissions()).hasSize(15).startsWith(1, 2).endsWith(92);
	}

	private static void checkPage(Page<User> page, int number) {
		assertThat(page.getPageNo()).isEqualTo(number);
		assertThat(page.getResult()).hasSize(15);
		checkUser(page.getResult().get(14), 14, "Doug Lea14");
	}

	private void checkEcho(int size, long n) {
		byte[] bytes = new byte[size];
		Arrays.fill(bytes, (byte) n);
		assertThat(Arrays.equals(this.calls.echo(bytes), bytes)).isTrue();
	}

	private void checkRefusal(long n) {
		if (n % 24 == 8) {
			RefusedException refused = catchThrowableOfType(RefusedException.class, () -> this.calls.refuse("n" + n));
			assertThat(refused).hasMessage("n" + n);
			assertThat(refused.code()).isEqualTo(42);
			return;
		}
		ExecutionException refused = catchThrowableOfType(ExecutionException.class,
				() -> this.calls.refuseLater("n" + n).get(20, TimeUnit.SECONDS));
		assertThat(refused.getCause()).isInstanceOf(RefusedException.class).hasMessage("n" + n);
	}

	private void checkBatch(long n) throws Exception {
		var first = this.calls.echoLater(new byte[] { (byte) n });
		var second = this.calls.echoLater(new byte[] { (byte) (n + 1) });
		assertThat(second.get(20, TimeUnit.SECONDS)).containsExactly((byte) (n + 1));
		assertThat(first.get(20, TimeUnit.SECONDS)).containsExactly((byte) n);
	}

	private void awaitEnd(RpcServer server, RpcClient client) {
		Eventually.until("no call is pending", () -> client.pendingCalls() == 0);
		Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		assertThat(ReferenceStates.instances(client))
			.allSatisfy((instance) -> assertThat(instance.pendingCalls()).isZero());
		assertThat(this.implementation.noticed).hasSize((int) this.oneWayCalls.getAndSet(0));
		this.implementation.noticed.clear();
	}

}
