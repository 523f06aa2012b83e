package io.rpcboot.hostile.victim;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.TlsOptions;

/**
 * A client that does what clients do: some small blocking calls each second, half of them
 * add and half of them echo, from a few threads and on a connection for each event loop
 * of the victim. Two threads make calls with larger arguments, and one makes a new client
 * for each of its calls; both are counted apart.
 */
public final class HonestClient implements AutoCloseable {

	private static final int THREADS = 8;

	private static final int ECHO_BYTES = 100;

	/** More than a server reads without a grant for it. */
	private static final int LARGE_ECHO_BYTES = 12_000;

	private static final long LARGE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int HUGE_ECHO_BYTES = 512 * 1024;

	private static final long HUGE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	private static final int NEWCOMER_ECHO_BYTES = 20_000;

	private static final long NEWCOMER_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

	/** One for each event loop that the victim has by default at most. */
	private static final int CONNECTIONS = 4;

	private final AtomicInteger lostConnections = new AtomicInteger();

	private final AtomicReference<HonestTally> tally = new AtomicReference<>(new HonestTally());

	private final AtomicReference<HonestTally> largeTally = new AtomicReference<>(new HonestTally());

	private final AtomicReference<HonestTally> newcomerTally = new AtomicReference<>(new HonestTally());

	private final RpcClient client;

	private final VictimService service;

	private final TlsOptions tls;

	private final ReferenceOptions victim;

	private final Duration timeout;

	private volatile boolean closed;

	/**
	 * Create a client.
	 * @param encrypted whether it speaks TLS
	 */
	public HonestClient(int port, int callsPerSecond, Duration timeout, boolean encrypted) {
		this.timeout = timeout;
		this.tls = encrypted ? TlsOptions.of(null, InsecureTrustManagerFactory.INSTANCE) : null;
		// a lost connection is counted by itself
		this.client = builder().connectionsPerEndpoint(CONNECTIONS).connectionListener(new RpcConnectionListener() {
			@Override
			public void closed(RpcConnection connection, String reason) {
				HonestClient.this.lostConnections.incrementAndGet();
			}
		}).build();
		this.victim = ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", port));
		this.service = this.client.reference(VictimService.class, this.victim);
		long pauseNanos = TimeUnit.SECONDS.toNanos(THREADS) / callsPerSecond;
		for (int i = 0; i < THREADS; i++) {
			Random random = new Random(i);
			start("honest-" + i, () -> run(this.tally, pauseNanos, random, () -> call(random)));
		}
		Random random = new Random(THREADS);
		start("honest-large", () -> run(this.largeTally, LARGE_PAUSE_NANOS, random,
				() -> echo(this.service, random, LARGE_ECHO_BYTES)));
		Random other = new Random(THREADS + 1);
		start("honest-huge",
				() -> run(this.largeTally, HUGE_PAUSE_NANOS, other, () -> echo(this.service, other, HUGE_ECHO_BYTES)));
		Random third = new Random(THREADS + 2);
		start("honest-newcomer", () -> run(this.newcomerTally, NEWCOMER_PAUSE_NANOS, third, () -> newcomer(third)));
	}

	/**
	 * Returns a builder with one limit for all. A handshake may take as long as a call:
	 * on a busy machine a short limit judges the machine, and a server that forgets a
	 * newcomer is found by any limit.
	 */
	private RpcClientBuilder builder() {
		RpcClientBuilder builder = RpcClient.builder()
			.timeout(this.timeout)
			.waitForInstance(this.timeout)
			.connectTimeout(this.timeout);
		return (this.tls != null) ? builder.tls(this.tls) : builder;
	}

	/** One call of a client that was not there before. */
	private boolean newcomer(Random random) {
		try (RpcClient fresh = builder().build()) {
			return echo(fresh.reference(VictimService.class, this.victim), random, NEWCOMER_ECHO_BYTES);
		}
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	/** A thread that was held up makes the calls that it missed, at most a second's. */
	private void run(AtomicReference<HonestTally> tally, long pauseNanos, Random random, BooleanSupplier call) {
		long next = System.nanoTime() + random.nextInt((int) pauseNanos);
		while (!this.closed) {
			Eventually.passed(next);
			next = Math.max(next + pauseNanos, System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
			HonestTally current = tally.get();
			long begin = System.nanoTime();
			try {
				boolean right = call.getAsBoolean();
				current.ended(begin, System.nanoTime() - begin, right);
			}
			catch (RpcException ex) {
				if (!this.closed) {
					current.failed(begin, System.nanoTime() - begin, ex.status() + ": " + ex.getMessage());
				}
			}
		}
	}

	/** One call; returns whether its answer is right. */
	private boolean call(Random random) {
		if (random.nextBoolean()) {
			int left = random.nextInt();
			int right = random.nextInt();
			return this.service.add(left, right) == left + right;
		}
		return echo(this.service, random, ECHO_BYTES);
	}

	private static boolean echo(VictimService service, Random random, int length) {
		byte[] bytes = new byte[length];
		random.nextBytes(bytes);
		return Arrays.equals(service.echo(bytes), bytes);
	}

	/**
	 * Calls that the test makes itself; throws if one fails, returns if all are right.
	 */
	public boolean areRight(int calls) {
		Random random = new Random(calls);
		for (int i = 0; i < calls; i++) {
			if (!call(random)) {
				return false;
			}
		}
		return true;
	}

	/** Begin to count anew; returns what was counted since the last time. */
	public HonestTally next() {
		return this.tally.getAndSet(new HonestTally());
	}

	/** The same for calls with large arguments, of which there are few. */
	public HonestTally nextLarge() {
		return this.largeTally.getAndSet(new HonestTally());
	}

	/** The same for calls of new clients. */
	public HonestTally nextNewcomers() {
		return this.newcomerTally.getAndSet(new HonestTally());
	}

	public int lostConnections() {
		return this.lostConnections.get();
	}

	@Override
	public void close() {
		this.closed = true;
		this.client.close();
	}

}
