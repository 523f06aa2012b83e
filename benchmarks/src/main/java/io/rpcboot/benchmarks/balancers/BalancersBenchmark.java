package io.rpcboot.benchmarks.balancers;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.internal.client.routing.MeasuredInstances;
import io.rpcboot.loadbalance.LoadBalancer;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it takes to choose an instance for one call. */
@NullUnmarked
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BalancersBenchmark {

	private static final int KEYS = 4096;

	private static final int CALLS_BEFORE = 20;

	/** How an instance is chosen. */
	@Param({ "RANDOM", "ROUND_ROBIN", "LEAST_PENDING", "POWER_OF_TWO", "KEY" })
	public Balancing balancing;

	/** Among how many. */
	@Param({ "1", "10", "1000" })
	public int instances;

	private final String[] keys = IntStream.range(0, KEYS).mapToObj((i) -> "article-" + i).toArray(String[]::new);

	/** As in a client, which sees the time of its last look at the instances. */
	private volatile long now = System.nanoTime();

	private MeasuredInstances fleet;

	private LoadBalancer balancer;

	private int next;

	/**
	 * Have some calls under way and others answered, so that there is something to see.
	 */
	@Setup
	public void prepare() {
		int[] weights = new int[this.instances];
		Arrays.fill(weights, 100);
		this.fleet = new MeasuredInstances(weights, () -> this.now);
		this.balancer = this.balancing.balancer();
		for (int i = 0; i < this.instances * CALLS_BEFORE; i++) {
			int index = this.balancer.choose(this.fleet.forCall(null));
			this.fleet.sent(index, i);
			if (i % 4 != 0) {
				this.fleet.answered(index, i, TimeUnit.MILLISECONDS.toNanos(1 + i % 7));
			}
		}
	}

	/**
	 * One call.
	 * @return the index of the chosen instance
	 */
	@Benchmark
	public int choose() {
		String key = this.balancing.isByKey() ? this.keys[this.next++ & (KEYS - 1)] : null;
		return this.balancer.choose(this.fleet.forCall(key));
	}

}
