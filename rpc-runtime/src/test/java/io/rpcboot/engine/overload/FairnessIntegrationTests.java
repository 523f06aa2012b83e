package io.rpcboot.engine.overload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One client fires without limit, 49 others make one call after the other: each of these
 * waits for a bounded number of calls, whoever made them. Counted in calls that the
 * server began in the meantime, not in time.
 */
@Timeout(120)
class FairnessIntegrationTests {

	private static final int MODEST = 49;

	private static final int CALLS = 10;

	private static final int GRANT = 256;

	private static final int THREADS = 2;

	private static final int GREED = 20 * GRANT;

	private static final long WORK_NANOS = 20_000;

	private static final byte[] NOTHING = {};

	/**
	 * What a call finds before it: the greedy client's whole grant and one call of each
	 * other. More may pass while the threads of its own client wait for a core. Without
	 * grants it would find all calls of the greedy client.
	 */
	private static final long AHEAD = GRANT + MODEST;

	private final AtomicLong begun = new AtomicLong();

	private final Queue<Long> waits = new ConcurrentLinkedQueue<>();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private volatile boolean stopped;

	private final CallsImpl implementation = new CallsImpl() {
		@Override
		public int add(int left, int right) {
			work();
			return super.add(left, right);
		}

		@Override
		public CompletableFuture<byte[]> echoLater(byte[] bytes) {
			work();
			return super.echoLater(bytes);
		}
	};

	/** So slow that the server, not a client, is what all wait for. */
	private void work() {
		this.begun.incrementAndGet();
		LockSupport.parkNanos(WORK_NANOS);
	}

	private static RpcClient client() {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(60))
			.waitForInstance(Duration.ofSeconds(60))
			.callbackThreads(1)
			.eventLoop(EventLoopOptions.defaults().withThreads(1))
			.build();
	}

	@Test
	void otherClients_waitForBoundedCalls_withGreedyClient() throws Exception {
		List<RpcClient> clients = new ArrayList<>();
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.maxThreads(THREADS)
			.maxCallsPerConnection(GRANT)
			.service(Calls.class, this.implementation)
			.start()) {
			RpcClient greedy = client();
			clients.add(greedy);
			Thread flood = start("greedy", () -> callWithoutLimit(greedy, server));
			Eventually.until("the greedy client is at work", () -> this.begun.get() > 2L * GRANT);
			List<Thread> modest = new ArrayList<>();
			for (int i = 0; i < MODEST; i++) {
				RpcClient client = client();
				clients.add(client);
				modest.add(start("modest-" + i, () -> callOneByOne(client, server)));
			}
			for (Thread thread : modest) {
				thread.join(TimeUnit.SECONDS.toMillis(60));
				assertThat(thread.isAlive()).as("%s is starved", thread.getName()).isFalse();
			}
			assertThat(server.connections()).hasSize(MODEST + 1);
			this.stopped = true;
			flood.join();
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		}
		finally {
			this.stopped = true;
			clients.forEach(RpcClient::close);
		}
		assertThat(this.failures).isEmpty();
		assertThat(this.waits).hasSize(MODEST * CALLS);
		List<Long> sorted = this.waits.stream().sorted().toList();
		assertThat(sorted.get(sorted.size() / 2)).as("median of %s", sorted).isLessThan(AHEAD * 5 / 4);
		assertThat(sorted.get(sorted.size() * 9 / 10))
			.as("nine of ten; the clients of the others may have had no core: %s", sorted)
			.isLessThan(3 * AHEAD);
	}

	private static Thread start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.start();
		return thread;
	}

	private void callWithoutLimit(RpcClient client, RpcServer server) {
		Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
		Semaphore unanswered = new Semaphore(GREED);
		while (!this.stopped) {
			unanswered.acquireUninterruptibly();
			calls.echoLater(NOTHING).whenComplete((bytes, failure) -> {
				unanswered.release();
				if (failure != null) {
					this.failures.add(failure);
				}
			});
		}
		unanswered.acquireUninterruptibly(GREED);
	}

	private void callOneByOne(RpcClient client, RpcServer server) {
		try {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			calls.greet("connected");
			for (int i = 0; i < CALLS; i++) {
				long before = this.begun.get();
				assertThat(calls.add(i, 1)).isEqualTo(i + 1);
				this.waits.add(this.begun.get() - before - 1);
			}
		}
		catch (Throwable ex) {
			this.failures.add(ex);
		}
	}

}
