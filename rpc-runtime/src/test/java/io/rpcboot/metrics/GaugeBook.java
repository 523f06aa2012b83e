package io.rpcboot.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;

/** Metrics that know which levels are offered now, and how long calls waited. */
public final class GaugeBook implements RpcMetrics {

	private final Map<Gauge, List<Entry>> entries = new ConcurrentHashMap<>();

	/** What was told of the time until calls were started, in nanoseconds. */
	public final List<Long> started = new CopyOnWriteArrayList<>();

	private record Entry(String subject, LongSupplier value, Object identity) {
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return RpcMetrics.none().calls(side, method);
	}

	@Override
	public TransportRecorder transport(Side side) {
		return new TransportRecorder() {
			@Override
			public void started(long nanos) {
				GaugeBook.this.started.add(nanos);
			}
		};
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		Entry entry = new Entry(subject, value, new Object());
		this.entries.computeIfAbsent(level, (first) -> new CopyOnWriteArrayList<>()).add(entry);
		return () -> this.entries.get(level).remove(entry);
	}

	/**
	 * What a level is about now.
	 * @param level the level
	 * @return the subjects, once for each offer
	 */
	public List<String> subjects(Gauge level) {
		List<String> result = new ArrayList<>();
		this.entries.getOrDefault(level, List.of()).forEach((entry) -> result.add(entry.subject()));
		return result;
	}

	/**
	 * The number as it is now, those of several added.
	 * @param level the level
	 * @return 0, too, if nobody offers it
	 */
	public long of(Gauge level) {
		return this.entries.getOrDefault(level, List.of())
			.stream()
			.mapToLong((entry) -> entry.value().getAsLong())
			.sum();
	}

}
