package io.rpcboot.benchmarks;

import java.nio.file.Path;
import java.util.List;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How what takes nanoseconds is measured: many short iterations, and what they allocate.
 */
public final class JmhRuns {

	private static final int QUICK_ITERATIONS = 50;

	private JmhRuns() {
	}

	/**
	 * Run the benchmarks of a class.
	 * @param benchmark the class
	 * @param threads that run it at the same time
	 * @param iterations of 10 ms in each of three processes
	 * @param quick for one process and 50 iterations
	 * @param log where JMH writes what it does
	 * @return a result for each benchmark and its parameters
	 * @throws RunnerException if it cannot run or a benchmark fails
	 */
	public static List<RunResult> run(Class<?> benchmark, int threads, int iterations, boolean quick, Path log)
			throws RunnerException {
		return List.copyOf(new Runner(new OptionsBuilder().include(benchmark.getName())
			.threads(threads)
			.forks(quick ? 1 : 3)
			.warmupIterations(5)
			.warmupTime(TimeValue.milliseconds(200))
			.measurementIterations(quick ? QUICK_ITERATIONS : iterations)
			.measurementTime(TimeValue.milliseconds(10))
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.output(log.toString())
			.build()).run());
	}

}
