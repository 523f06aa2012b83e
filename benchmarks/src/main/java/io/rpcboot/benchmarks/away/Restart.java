package io.rpcboot.benchmarks.away;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.benchmarks.LoopingThreads;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;

/**
 * The only instance shuts down under load, and its successor listens on the same port
 * after a gap. Each caller pauses between its calls, so that the number of calls does not
 * depend on how fast they fail.
 */
final class Restart {

	static final int CALLERS = 16;

	static final long PAUSE_MILLIS = 10;

	private static final long SETTLED_MILLIS = 1000;

	private static final Duration GRACE = Duration.ofSeconds(5);

	private final Durations durations = new Durations();

	private final AtomicLong failed = new AtomicLong();

	/** Whether the successor listens. */
	private volatile boolean succeeded;

	/** When the successor was first known to answer; 0 before. */
	private volatile long firstAnswerNanos;

	private Restart() {
	}

	/**
	 * What it cost.
	 *
	 * @param calls all that were made
	 * @param failed those that failed
	 * @param longestMillis the longest call, answered or not
	 * @param backMillis from the successor's port to the first answer
	 */
	record Result(long calls, long failed, double longestMillis, double backMillis) {
	}

	/**
	 * Measure.
	 * @param gap from the end of the one to the start of the other
	 * @param wait of calls for an instance, null for the default
	 * @param timeout of calls
	 */
	static Result measure(Duration gap, @Nullable Duration wait, Duration timeout) throws InterruptedException {
		return new Restart().run(gap, wait, timeout);
	}

	private Result run(Duration gap, @Nullable Duration wait, Duration timeout) throws InterruptedException {
		RpcServer server = serve(0);
		RpcClientBuilder builder = RpcClient.builder().timeout(timeout);
		if (wait != null) {
			builder.waitForInstance(wait);
		}
		RpcServer successor = null;
		try (RpcClient client = builder.build()) {
			Greeter greeter = client.reference(Greeter.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
			long listening;
			try (LoopingThreads callers = new LoopingThreads(CALLERS, () -> call(greeter))) {
				callers.goOn(SETTLED_MILLIS);
				server.shutdown(GRACE);
				callers.goOn(gap.toMillis());
				successor = serve(server.port());
				listening = System.nanoTime();
				this.succeeded = true;
				callers.goOn(SETTLED_MILLIS + timeout.toMillis() / 10);
			}
			return new Result(this.durations.count(), this.failed.get(), this.durations.millis(1)[0],
					(this.firstAnswerNanos - listening) / 1e6);
		}
		finally {
			server.close();
			if (successor != null) {
				successor.close();
			}
		}
	}

	private static RpcServer serve(int port) {
		return RpcServer.builder()
			.port(port)
			.bindAddress("127.0.0.1")
			.service(Greeter.class, (name) -> "Hello " + name)
			.start();
	}

	private void call(Greeter greeter) {
		long begin = System.nanoTime();
		try {
			greeter.greet("Ann");
			if (this.succeeded && this.firstAnswerNanos == 0) {
				this.firstAnswerNanos = System.nanoTime();
			}
		}
		catch (RpcException ex) {
			if (ex.status() != RpcStatus.UNAVAILABLE && ex.status() != RpcStatus.DEADLINE_EXCEEDED) {
				throw ex;
			}
			this.failed.incrementAndGet();
		}
		this.durations.add(System.nanoTime() - begin);
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
	}

}
