package io.rpcboot.hostile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.transport.RpcConnection;
import io.rpcboot.transport.RpcConnectionListener;

/**
 * A client that does what clients do: some small blocking calls each second, half of them
 * add and half of them echo, from a few threads and on a connection for each event loop
 * of the victim.
 */
final class HonestClient implements AutoCloseable {

	private static final int THREADS = 8;

	private static final int ECHO_BYTES = 100;

	/** One for each event loop that the victim has by default at most. */
	private static final int CONNECTIONS = 4;

	private final AtomicInteger lostConnections = new AtomicInteger();

	private final AtomicReference<HonestTally> tally = new AtomicReference<>(new HonestTally());

	private final List<Thread> threads = new ArrayList<>();

	private final RpcClient client;

	private final VictimService service;

	private final long pauseNanos;

	private volatile boolean closed;

	HonestClient(int port, int callsPerSecond, Duration timeout) {
		this.client = RpcClient.builder()
			.timeout(timeout)
			.connectionsPerEndpoint(CONNECTIONS)
			.connectionListener(new RpcConnectionListener() {
				@Override
				public void closed(RpcConnection connection, String reason) {
					HonestClient.this.lostConnections.incrementAndGet();
				}
			})
			.build();
		this.service = this.client.reference(VictimService.class,
				ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", port)));
		this.pauseNanos = TimeUnit.SECONDS.toNanos(THREADS) / callsPerSecond;
		for (int i = 0; i < THREADS; i++) {
			Random random = new Random(i);
			Thread thread = new Thread(() -> run(random), "honest-" + i);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	/** A thread that was held up makes the calls that it missed, at most a second's. */
	private void run(Random random) {
		long next = System.nanoTime() + random.nextInt((int) this.pauseNanos);
		while (!this.closed) {
			Eventually.passed(next);
			next = Math.max(next + this.pauseNanos, System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
			HonestTally current = this.tally.get();
			long begin = System.nanoTime();
			try {
				boolean right = call(random);
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
		byte[] bytes = new byte[ECHO_BYTES];
		random.nextBytes(bytes);
		return Arrays.equals(this.service.echo(bytes), bytes);
	}

	/**
	 * Calls that the test makes itself; throws if one fails, returns if all are right.
	 */
	boolean areRight(int calls) {
		Random random = new Random(calls);
		for (int i = 0; i < calls; i++) {
			if (!call(random)) {
				return false;
			}
		}
		return true;
	}

	/** Begin to count anew; returns what was counted since the last time. */
	HonestTally next() {
		return this.tally.getAndSet(new HonestTally());
	}

	int lostConnections() {
		return this.lostConnections.get();
	}

	@Override
	public void close() {
		this.closed = true;
		this.client.close();
	}

}
