package io.rpcboot.benchmarks.metrics;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.metrics.jfr.JfrRpcMetrics;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What a recorder takes for a call that succeeded: of a blocking caller, which records it
 * alone, and of an event loop, which records 32 at a time. All threads call one method.
 */
@NullUnmarked
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MetricsBenchmark {

	static final int BATCH = 32;

	private static final int DURATIONS = 4096;

	private static final int CALLS_BEFORE = 200_000;

	private static final String PEER = "10.0.0.1:5000";

	/**
	 * What records: nothing, the history of a busy method or of one beside 64 others,
	 * Micrometer, or Micrometer, Flight Recorder and the history as a chain.
	 */
	@Param({ "none", "history", "history-rest", "micrometer", "all" })
	public String metrics;

	private final RpcHistory history = RpcHistory.builder().build();

	private CallRecorder recorder;

	/**
	 * Resolve the recorder, and let the history see that the method is busy.
	 */
	@Setup
	public void prepare() {
		MethodDescriptor method = ServiceDescriptor.of(Runnable.class).methods().get(0);
		if (this.metrics.equals("history-rest")) {
			for (int i = 0; i < 64; i++) {
				this.history.calls(Side.CLIENT, other(method, i)).record(RpcStatus.OK, 1, PEER);
			}
		}
		this.recorder = choose().calls(Side.CLIENT, method);
		if (this.metrics.equals("history") || this.metrics.equals("all")) {
			for (int i = 0; i < CALLS_BEFORE; i++) {
				this.recorder.record(RpcStatus.OK, 1, PEER);
			}
			this.history.tick();
			this.history.start();
		}
	}

	private RpcMetrics choose() {
		return switch (this.metrics) {
			case "none" -> RpcMetrics.none();
			case "history", "history-rest" -> this.history;
			case "micrometer" -> new MicrometerRpcMetrics(new SimpleMeterRegistry());
			case "all" -> RpcMetrics.all(List.of(new MicrometerRpcMetrics(new SimpleMeterRegistry()),
					new JfrRpcMetrics(Duration.ofSeconds(1)), this.history));
			default -> throw new IllegalArgumentException(this.metrics);
		};
	}

	private static MethodDescriptor other(MethodDescriptor method, int number) {
		return new MethodDescriptor(new ServiceId("app.Other" + number, "", ""), 0, method.method(), method.style(),
				List.of(), null, false);
	}

	/**
	 * One call.
	 * @param thread whose call
	 */
	@Benchmark
	public void call(Durations thread) {
		this.recorder.record(RpcStatus.OK, thread.next(), PEER);
	}

	/**
	 * The calls of a batch; the figure is of one call.
	 * @param thread whose batch
	 */
	@Benchmark
	@OperationsPerInvocation(BATCH)
	public void batch(Durations thread) {
		for (int i = 0; i < BATCH; i++) {
			thread.batch[i] = thread.next();
		}
		this.recorder.record(RpcStatus.OK, thread.batch, thread.batch, BATCH, PEER);
	}

	/**
	 * End the thread of the history.
	 */
	@TearDown
	public void close() {
		this.history.close();
	}

	/** How long the calls of a thread took: 50 µs to 5 ms, short ones most often. */
	@State(Scope.Thread)
	public static class Durations {

		private final long[] batch = new long[BATCH];

		private final long[] nanos = new SplittableRandom(14).doubles(DURATIONS)
			.mapToLong((each) -> (long) (50_000 * Math.pow(100, each * each)))
			.toArray();

		private int position;

		private long next() {
			return this.nanos[this.position++ & (DURATIONS - 1)];
		}

	}

}
