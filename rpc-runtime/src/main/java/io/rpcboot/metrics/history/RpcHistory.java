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
 * What the process did in the last 15 minutes, for a page or a person that looks. Every 5
 * seconds there is a tick: it takes what the recorders gathered since the one before.
 * What is read is as of the last tick. Give it to clients and servers as their metrics,
 * beside others with {@link RpcMetrics#all}; one object serves any number of them, and
 * their numbers are added. It takes at most 2 MB with 10,000 methods, and nothing for a
 * call. Thread-safe.
 */
public final class RpcHistory implements RpcMetrics, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	/**
	 * Most methods that are listed, of both sides. The calls of others count in values.
	 */
	private static final int MOST_METHODS = 10_000;

	/** 3 minutes, a fifth of what is kept of slow calls. */
	private static final int SLOW_CALLS_TICKS = 36;

	/** For all that changes with a tick. Recorders never wait for it. */
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
	 * Make a history.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Begin to tick, with a daemon thread of its own. Does nothing if it does already or
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
				logger.warn("A step of the history failed, its values are missing; it goes on with the next", ex);
			}
			next = Math.max(next + step, System.nanoTime());
		}
	}

	/**
	 * A step is over: take what was gathered. Its thread calls this every 5 seconds; it
	 * is public for owners who drive the history themselves instead of
	 * {@linkplain #start() starting} it. Does nothing if the clock has not moved.
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
	 * The values of the process.
	 * @param sinceEpochMillis only ticks after this, exclusively; 0 for all. One after
	 * the last tick is of a clock that was set back since, and means all, too
	 * @return the values, by {@link HistoryValue} key; one that nobody has reported in
	 * this process is absent
	 */
	public TimeSeriesTable values(long sinceEpochMillis) {
		return locked(() -> {
			int[] positions = this.ticks.after(sinceEpochMillis, 0);
			return new TimeSeriesTable(TickClock.STEP_MILLIS, this.ticks.labels(positions), this.values.at(positions));
		});
	}

	/**
	 * All methods of both sides that were seen, at most 10,000.
	 * @return those with the most calls per second first
	 */
	public List<MethodStats> methods() {
		return sorted(() -> this.sides.values().stream().flatMap(SideHistory::all));
	}

	/**
	 * The busiest methods of both sides. Cheaper than to take them from all.
	 * @param most how many at most
	 * @return those with the most calls per second first
	 */
	public List<MethodStats> busiest(int most) {
		int bound = Math.max(0, most);
		List<MethodStats> both = sorted(() -> this.sides.values().stream().flatMap((each) -> each.busiest(bound)));
		return both.subList(0, Math.min(bound, both.size()));
	}

	/**
	 * The methods of one service that were seen.
	 * @param side which side of its calls this process is
	 * @param service the service
	 * @return those with the most calls per second first, empty if it is not known
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
	 * A busy method over time.
	 * @param side which side of its calls this process is
	 * @param service the service
	 * @param method the method, as {@code getUser(long)}
	 * @param since only ticks after this, as for {@link #values(long)}
	 * @return the series, empty if the method is not tracked: see
	 * {@link MethodStats#tracked()}
	 */
	public Optional<MethodSeries> method(Side side, String service, String method, long since) {
		return locked(() -> Optional.ofNullable(side(side).series(service, method, since)));
	}

	/**
	 * The slowest calls of the last 12 to 15 minutes, of both sides, whatever their
	 * status.
	 * @return slowest first, at most 50
	 */
	public List<NotedCall> slowest() {
		return NotedCalls.calls(this.noted.slow.slowest());
	}

	/**
	 * The latest calls of both sides that failed: with any status but OK and DECLARED. Of
	 * each status at most ten are noted in 5 seconds.
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

	/** End its thread. What it has can still be read. */
	@Override
	public synchronized void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	/** Makes a history. */
	public static final class Builder {

		private LongSupplier nanoTime = System::nanoTime;

		private InstantSource clock = InstantSource.system();

		private Builder() {
		}

		/**
		 * Use other clocks, for tests.
		 * @param nanoTime instead of {@link System#nanoTime()}: measures from tick to
		 * tick
		 * @param wall instead of the wall clock: labels ticks and calls
		 * @return this
		 */
		public Builder clock(LongSupplier nanoTime, InstantSource wall) {
			this.nanoTime = nanoTime;
			this.clock = wall;
			return this;
		}

		/**
		 * Make it.
		 * @return a history that does not tick yet: {@link RpcHistory#start()}
		 */
		public RpcHistory build() {
			return new RpcHistory(this);
		}

	}

}
