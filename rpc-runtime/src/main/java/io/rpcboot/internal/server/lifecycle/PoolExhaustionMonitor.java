package io.rpcboot.internal.server.lifecycle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.PoolInfo.Exhaustion;
import io.rpcboot.server.PoolInfo.Holder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports which methods hold the worker threads when calls wait because none is free, for
 * example because a service hangs. Ignores calls that wait for limits which the
 * application configured. Checks once a second and reports at most once a minute. One
 * thread; {@link #describe()}: any thread.
 */
public final class PoolExhaustionMonitor {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private static final long CHECK_MILLIS = 1000;

	private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final int MAX_HOLDERS = 5;

	private static final int MAX_FRAMES = 30;

	private final WorkerPoolStats pool;

	/** Returns true if all waiting calls wait for limits of the application. */
	private final BooleanSupplier waitsForLimits;

	private final LongSupplier clock;

	/** Running tasks at the last check, if no thread was free; else empty. */
	private Map<Thread, Runnable> before = Map.of();

	private long reportAgainNanos;

	private volatile @Nullable Exhaustion last;

	public PoolExhaustionMonitor(WorkerPoolStats pool, BooleanSupplier waitsForLimits, LongSupplier clock) {
		this.pool = pool;
		this.waitsForLimits = waitsForLimits;
		this.clock = clock;
		this.reportAgainNanos = clock.getAsLong();
	}

	public void start(ScheduledExecutorService loop) {
		loop.scheduleWithFixedDelay(this::check, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** Checks once; called once a second. */
	void check() {
		boolean isShort = this.pool.isUsedUp() || this.pool.isHeldBack();
		if (!isShort || this.waitsForLimits.getAsBoolean()) {
			this.before = Map.of();
			return;
		}
		Map<Thread, Runnable> now = this.pool.running();
		boolean again = !this.before.isEmpty();
		if (again && this.clock.getAsLong() - this.reportAgainNanos >= 0) {
			this.reportAgainNanos = this.clock.getAsLong() + PAUSE_NANOS;
			report(now);
		}
		this.before = now;
	}

	private void report(Map<Thread, Runnable> now) {
		Map<String, List<Thread>> byMethod = new HashMap<>();
		now.forEach((thread, task) -> byMethod.computeIfAbsent(methodOf(task), (key) -> new ArrayList<>()).add(thread));
		List<Holder> holders = byMethod.entrySet()
			.stream()
			.sorted(Comparator.comparing((Map.Entry<String, List<Thread>> each) -> -each.getValue().size()))
			.limit(MAX_HOLDERS)
			.map((each) -> holder(each.getKey(), each.getValue(), now))
			.toList();
		Exhaustion report = new Exhaustion(Instant.now(), this.pool.waiting(), holders);
		this.last = report;
		String which = this.pool.isHeldBack()
				? "A service or method has used up its share of the %d threads".formatted(this.pool.maxThreads())
				: "All %d threads are in use".formatted(this.pool.maxThreads());
		logger.warn("{} and {} calls wait for one (pool.max-threads). In use for {}", which, report.waiting(),
				holders.stream().map(PoolExhaustionMonitor::text).collect(Collectors.joining(System.lineSeparator())));
	}

	private static String methodOf(Runnable task) {
		return (task instanceof ScheduledCall call) ? call.method.descriptor.toString() : "other tasks";
	}

	private Holder holder(String method, List<Thread> threads, Map<Thread, Runnable> now) {
		List<Thread> stuck = threads.stream().filter((each) -> this.before.get(each) == now.get(each)).toList();
		Thread sample = stuck.isEmpty() ? threads.get(0) : stuck.get(0);
		return new Holder(method, threads.size(), stuck.size(), stackOf(sample));
	}

	/** Returns the stack from the top down to the implementation. */
	private static List<String> stackOf(Thread thread) {
		List<String> result = new ArrayList<>();
		for (StackTraceElement frame : thread.getStackTrace()) {
			if (frame.getClassName().equals(ServerCall.class.getName()) || result.size() == MAX_FRAMES) {
				break;
			}
			result.add(frame.toString());
		}
		return List.copyOf(result);
	}

	private static String text(Holder holder) {
		StringBuilder text = new StringBuilder(holder.method()).append(": ")
			.append(holder.threads())
			.append(", of which ")
			.append(holder.stuck())
			.append(" have run the same call for a second or longer; one stands at");
		holder.stack().forEach((frame) -> text.append(System.lineSeparator()).append("\tat ").append(frame));
		return text.toString();
	}

	/** Returns a snapshot. Any thread. */
	public PoolInfo describe() {
		return new PoolInfo(this.pool.maxThreads(), this.pool.busy(), this.pool.waiting(), this.last);
	}

}
