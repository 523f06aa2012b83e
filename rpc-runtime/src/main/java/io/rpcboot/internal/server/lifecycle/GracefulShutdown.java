package io.rpcboot.internal.server.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.internal.context.CurrentTask;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.Transport;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.server.ShutdownReport;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.StreamInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Graceful shutdown of a server: GO_AWAY to all clients, drain of the calls in flight,
 * close. It runs once. A second caller waits for its end, and shortens the grace period
 * if its own is shorter. Any thread.
 */
public final class GracefulShutdown {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private static final ShutdownReport NOTHING_CUT = new ShutdownReport(0, 0, Duration.ZERO);

	/** Time for clients to read the last responses and close. */
	private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Streams that are named when they are cut. */
	private static final int MOST_NAMED = 1000;

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final ServerResources runtime;

	/** Released at the end of the shutdown. */
	private final CountDownLatch over = new CountDownLatch(1);

	/** Thread that runs the shutdown; null before. */
	private volatile @Nullable Thread caller;

	/** True if a caller gave no grace period. */
	private volatile boolean atOnce;

	/** End of the grace period. */
	private volatile long deadlineNanos;

	public GracefulShutdown(ServerResources runtime) {
		this.runtime = runtime;
	}

	/**
	 * Drains the calls in flight and closes.
	 * @param gracePeriod longest time for the calls in flight
	 * @param leave deregisters the server and returns its sockets, null if it has none
	 * @param ended run when everything is closed
	 * @return the report; an empty one for a second caller
	 */
	public ShutdownReport run(Duration gracePeriod, Supplier<@Nullable Sockets> leave, Runnable ended) {
		long start = System.nanoTime();
		if (!begin(gracePeriod.isZero(), start + Options.nanos(gracePeriod))) {
			awaitEnd();
			return NOTHING_CUT;
		}
		try {
			Sockets sockets = leave.get();
			return (sockets != null) ? end(sockets, start) : NOTHING_CUT;
		}
		finally {
			this.runtime.closeThreads();
			ended.run();
			this.over.countDown();
		}
	}

	/** Returns false if the shutdown runs already. */
	private synchronized boolean begin(boolean now, long wantedNanos) {
		boolean first = this.caller == null;
		if (first || wantedNanos - this.deadlineNanos < 0) {
			this.deadlineNanos = wantedNanos;
		}
		this.atOnce |= now;
		if (first) {
			this.caller = Thread.currentThread();
		}
		return first;
	}

	/** Waits for the end, except on threads for which the shutdown waits itself. */
	private void awaitEnd() {
		Thread current = Thread.currentThread();
		boolean isCall = CurrentTask.running() instanceof ServerCall call && call.isOf(this.runtime);
		if (current == this.caller || current instanceof EventLoopThread || isCall) {
			return;
		}
		try {
			this.over.await();
		}
		catch (InterruptedException ex) {
			current.interrupt();
		}
	}

	private ShutdownReport end(Sockets sockets, long start) {
		try {
			return drain(start);
		}
		finally {
			sockets.port().close();
			sockets.transport().close();
		}
	}

	private ShutdownReport drain(long start) {
		int before = this.runtime.inFlight.get();
		CompletableFuture<Boolean> drained = ActiveConnection.goAway(this.runtime.connections)
			.thenCompose((done) -> this.runtime.drained());
		await(drained::isDone);
		// counted before the connections end, which ends their calls
		int left = this.runtime.inFlight.get();
		boolean isOver = hasNoTime() || Thread.currentThread().isInterrupted();
		if (isOver) {
			logCutStreams();
		}
		this.runtime.connections.forEach(ActiveConnection::halfClose);
		long closing = System.nanoTime();
		pauseUntil(
				() -> this.runtime.connections.isEmpty() || this.atOnce || System.nanoTime() - closing >= CLOSE_NANOS);
		// one-way calls that were in transit when GO_AWAY was sent
		await(() -> this.runtime.inFlight.get() == 0);
		int cut = isOver ? left : this.runtime.inFlight.get();
		ShutdownReport report = new ShutdownReport(Math.max(0, before - cut), cut,
				Duration.ofNanos(System.nanoTime() - start));
		this.runtime.counts.drained.add(report.drainedCalls());
		this.runtime.counts.cut.add(cut);
		logger.info("RPC server closed: {} calls drained, {} cut, after {} ms", report.drainedCalls(),
				report.cutCalls(), report.took().toMillis());
		return report;
	}

	/** Names the streams that end with their connections: a call has little to tell. */
	private void logCutStreams() {
		List<StreamInfo> open = this.runtime.oldestStreams(MOST_NAMED);
		if (!open.isEmpty()) {
			Map<String, Long> byMethod = open.stream()
				.collect(Collectors.groupingBy((each) -> each.service() + "." + each.method(), TreeMap::new,
						Collectors.counting()));
			logger.warn(
					"The grace period is over: {} open streams are cut, the oldest {}. "
							+ "An RpcStream learns by onDrain() that it should end before.",
					this.runtime.openStreams(), byMethod);
		}
	}

	private boolean hasNoTime() {
		return this.deadlineNanos - System.nanoTime() <= 0;
	}

	private void await(BooleanSupplier condition) {
		pauseUntil(() -> condition.getAsBoolean() || hasNoTime());
	}

	/** An interrupted thread does not wait, because park() would return at once. */
	private static void pauseUntil(BooleanSupplier condition) {
		while (!condition.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	/** Sockets of a server: its event loops and its port. */
	public record Sockets(Transport transport, Transport.Listener port) {
	}

}
