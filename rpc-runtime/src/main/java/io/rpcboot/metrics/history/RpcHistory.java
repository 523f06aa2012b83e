package io.rpcboot.metrics.history;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;
import io.rpcboot.internal.metrics.history.call.NotedCalls;
import io.rpcboot.internal.metrics.history.call.SideHistory;
import io.rpcboot.internal.metrics.history.call.TickClock;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * History of the process: values, methods, slow and failed calls of the last 15 minutes.
 * Every 5 seconds a tick takes what the recorders collected; readers see the state of the
 * last tick. One object serves any number of clients and servers, and their numbers are
 * added up. It takes at most 2 MB with 10,000 methods and allocates nothing per call.
 * Thread-safe. <pre>{@code
 * RpcHistory history = RpcHistory.builder().build();
 * history.start();
 * RpcClient.builder().metrics(RpcMetrics.all(List.of(history, micrometer)))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RpcHistory implements RpcMetrics, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	/**
	 * Maximum of listed methods of both sides. Calls of further methods count in the
	 * values.
	 */
	private static final int MOST_METHODS = 10_000;

	/** Ticks of a window of slow calls: 3 minutes, a fifth of the history. */
	private static final int SLOW_CALLS_TICKS = 36;

	/** Guards everything that changes with a tick. Recorders never wait for it. */
	private final ReentrantLock lock = new ReentrantLock();

	private final TickClock ticks;

	private final NotedCalls noted;

	private final Map<Side, SideHistory> sides = new EnumMap<>(Side.class);

	private final Map<Side, SideValues> sideValues = new EnumMap<>(Side.class);

	private final Map<Side, TransportHistory> transports = new ConcurrentHashMap<>();

	private final GaugeSums levels = new GaugeSums();

	private final GaugeValues levelValues = new GaugeValues();

	private final ProcessValues processValues = new ProcessValues();

	private final Values values = new Values();

	private @Nullable Thread thread;

	private volatile boolean closed;

	private RpcHistory(Builder builder) {
		this.ticks = new TickClock(builder.nanoTime, builder.clock);
		this.noted = new NotedCalls(builder.clock);
		AtomicInteger room = new AtomicInteger(MOST_METHODS);
		int processors = Runtime.getRuntime().availableProcessors();
		for (Side side : Side.values()) {
			SideHistory calls = new SideHistory(side, this.noted, this.ticks, room, this.lock, processors);
			this.sides.put(side, calls);
			this.sideValues.put(side, new SideValues(calls));
		}
	}

	/**
	 * Returns a builder.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Starts the ticks on a daemon thread. No effect if they are started or the history
	 * is closed.
	 */
	public synchronized void start() {
		if (this.thread == null && !this.closed) {
			this.thread = new Thread(this::run, "rpc-history");
			this.thread.setDaemon(true);
			this.thread.start();
		}
	}

	private void run() {
		long step = TickClock.STEP_MILLIS * 1_000_000L;
		long next = System.nanoTime() + step;
		while (!this.closed) {
			long wait = next - System.nanoTime();
			if (wait > 0) {
				LockSupport.parkNanos(this, wait);
				Thread.interrupted();
				continue;
			}
			try {
				tick();
			}
			catch (Throwable ex) {
				logger.warn("Tick of the history failed; its values are missing, the next tick follows", ex);
			}
			next = Math.max(next + step, System.nanoTime());
		}
	}

	/**
	 * Takes what was collected since the previous tick. The thread of the history calls
	 * this every 5 seconds; an owner that does not {@linkplain #start() start} the thread
	 * calls it itself. No effect if the clock has not advanced.
	 */
	public void tick() {
		Map<Gauge, Long> numbers = this.levels.read();
		locked(() -> {
			if (this.ticks.advance()) {
				takeValues(numbers, this.ticks.elapsedSeconds());
			}
			return this;
		});
	}

	private void takeValues(Map<Gauge, Long> numbers, double seconds) {
		this.values.begin(this.ticks.position());
		this.sideValues.forEach((side, each) -> each.tick(seconds, this.transports.get(side), this.values));
		this.levelValues.tick(numbers, seconds, this.values);
		this.processValues.tick(seconds, this.values);
		this.noted.failed.tick();
		if (this.ticks.count() % SLOW_CALLS_TICKS == 0) {
			this.noted.slow.rotate();
		}
	}

	/**
	 * Returns the values of the process.
	 * @param sinceEpochMillis only ticks after this time; 0 for all. A time after the
	 * last tick comes from a clock that was set back, and also means all
	 * @return the values by {@link HistoryValue} key; a value that was never reported is
	 * absent
	 */
	public TimeSeriesTable values(long sinceEpochMillis) {
		return locked(() -> {
			int[] positions = this.ticks.after(sinceEpochMillis, 0);
			return new TimeSeriesTable(TickClock.STEP_MILLIS, this.ticks.labels(positions), this.values.at(positions));
		});
	}

	/**
	 * Returns all methods of both sides, at most 10,000.
	 * @return the methods with the most calls per second first
	 */
	public List<MethodStats> methods() {
		return sorted(() -> this.sides.values().stream().flatMap(SideHistory::all));
	}

	/**
	 * Returns the busiest methods of both sides, with less effort than
	 * {@link #methods()}.
	 * @param most maximum of methods
	 * @return the methods with the most calls per second first
	 */
	public List<MethodStats> busiest(int most) {
		int bound = Math.max(0, most);
		List<MethodStats> both = sorted(() -> this.sides.values().stream().flatMap((each) -> each.busiest(bound)));
		return both.subList(0, Math.min(bound, both.size()));
	}

	/**
	 * Returns the methods of one service.
	 * @param side side of this process
	 * @param service the service
	 * @return the methods with the most calls per second first, empty if the service is
	 * unknown
	 */
	public List<MethodStats> methods(Side side, String service) {
		return sorted(() -> side(side).ofService(service));
	}

	private List<MethodStats> sorted(Supplier<Stream<MethodStats>> some) {
		Comparator<MethodStats> busiest = Comparator.comparingDouble(MethodStats::callsPerSecond)
			.thenComparingLong(MethodStats::calls)
			.reversed()
			.thenComparing(MethodStats::service)
			.thenComparing(MethodStats::method);
		return locked(() -> some.get().toList()).stream().sorted(busiest).toList();
	}

	/**
	 * Returns the time series of a busy method.
	 * @param side side of this process
	 * @param service the service
	 * @param method the method, as {@code getUser(long)}
	 * @param since only ticks after this time, as for {@link #values(long)}
	 * @return the series, empty if the method is not tracked: see
	 * {@link MethodStats#tracked()}
	 */
	public Optional<MethodSeries> method(Side side, String service, String method, long since) {
		return locked(() -> Optional.ofNullable(side(side).series(service, method, since)));
	}

	/**
	 * Returns the slowest calls of both sides in the last 12 to 15 minutes, with any
	 * status.
	 * @return slowest first, at most 50
	 */
	public List<NotedCall> slowest() {
		return NotedCalls.calls(this.noted.slow.slowest());
	}

	/**
	 * Returns the latest failed calls of both sides: any status but OK and DECLARED. For
	 * each status at most ten calls are noted in 5 seconds.
	 * @return latest first, at most 50
	 */
	public List<NotedCall> failed() {
		return NotedCalls.calls(this.noted.failed.latest());
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return side(side).method(method);
	}

	@Override
	public TransportRecorder transport(Side side) {
		return this.transports.computeIfAbsent(side, (key) -> new TransportHistory());
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return this.levels.add(level, value);
	}

	private SideHistory side(Side side) {
		return Objects.requireNonNull(this.sides.get(side));
	}

	private <T> T locked(Supplier<T> read) {
		this.lock.lock();
		try {
			return read.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends the ticks. The history stays readable. */
	@Override
	public synchronized void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	/** Builds a history. */
	public static final class Builder {

		private LongSupplier nanoTime = System::nanoTime;

		private InstantSource clock = InstantSource.system();

		private Builder() {
		}

		/**
		 * Sets the clocks, for tests.
		 * @param nanoTime replaces {@link System#nanoTime()}: measures the time between
		 * ticks
		 * @param wall replaces the wall clock: labels ticks and calls
		 * @return this builder
		 */
		public Builder clock(LongSupplier nanoTime, InstantSource wall) {
			this.nanoTime = nanoTime;
			this.clock = wall;
			return this;
		}

		/**
		 * Builds the history.
		 * @return a history without ticks: call {@link RpcHistory#start()}
		 */
		public RpcHistory build() {
			return new RpcHistory(this);
		}

	}

}
