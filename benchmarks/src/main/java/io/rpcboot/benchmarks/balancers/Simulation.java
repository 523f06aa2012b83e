package io.rpcboot.benchmarks.balancers;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.internal.client.routing.MeasuredInstances;
import io.rpcboot.loadbalance.LoadBalancer;

/**
 * Clients, each with a balancer and a view of its own, and instances with four workers
 * and a queue, in simulated time: arrivals and service times are random (exponential), at
 * 70 % of what all instances can do.
 */
final class Simulation {

	private static final double LOAD = 0.7;

	private static final int WORKERS = 4;

	private static final double SERVICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private static final int CALLS = 400_000;

	/** Balancers and instances know each other by then. */
	private static final int CALLS_BEFORE = 40_000;

	private final Random random = new Random(16);

	private final PriorityQueue<Call> ends = new PriorityQueue<>(Comparator.comparingDouble((call) -> call.endNanos));

	private final List<MeasuredInstances> views;

	private final List<LoadBalancer> balancers;

	/** For each instance how much longer it takes. */
	private final double[] slowness;

	/** For each instance when its workers are free. */
	private final double[][] free;

	private final int[] underWay;

	private final int[] calls;

	private final double[] took = new double[CALLS];

	private final Keys keys;

	private int most;

	private double now;

	Simulation(Balancing balancing, int clients, double[] slowness, Keys keys) {
		int[] weights = new int[slowness.length];
		Arrays.fill(weights, 100);
		this.views = IntStream.range(0, clients)
			.mapToObj((i) -> new MeasuredInstances(weights, () -> 1 + (long) this.now))
			.toList();
		this.balancers = IntStream.range(0, clients).mapToObj((i) -> balancing.balancer()).toList();
		this.slowness = slowness;
		this.free = new double[slowness.length][WORKERS];
		this.underWay = new int[slowness.length];
		this.calls = new int[slowness.length];
		this.keys = balancing.isByKey() ? keys : Keys.NONE;
	}

	/** Run it. */
	Simulation run() {
		double capacity = Arrays.stream(this.slowness).map((each) -> 1 / each).sum() * WORKERS / SERVICE_NANOS;
		for (int id = 0; id < CALLS_BEFORE + CALLS; id++) {
			this.now += exponential() / (LOAD * capacity);
			while (!this.ends.isEmpty() && this.ends.element().endNanos <= this.now) {
				end(this.ends.remove());
			}
			begin(id);
		}
		return this;
	}

	private double exponential() {
		return -Math.log(1 - this.random.nextDouble());
	}

	private void begin(int id) {
		int client = this.random.nextInt(this.views.size());
		int chosen = this.balancers.get(client).choose(this.views.get(client).forCall(this.keys.next(this.random)));
		double[] workers = this.free[chosen];
		int worker = 0;
		for (int i = 1; i < WORKERS; i++) {
			worker = (workers[i] < workers[worker]) ? i : worker;
		}
		double end = Math.max(this.now, workers[worker]) + exponential() * SERVICE_NANOS * this.slowness[chosen];
		workers[worker] = end;
		this.views.get(client).sent(chosen, id);
		this.ends.add(new Call(id, client, chosen, this.now, end));
		this.underWay[chosen]++;
		if (id >= CALLS_BEFORE) {
			this.calls[chosen]++;
			this.took[id - CALLS_BEFORE] = end - this.now;
			this.most = Math.max(this.most, this.underWay[chosen]);
		}
	}

	private void end(Call call) {
		this.underWay[call.instance]--;
		this.views.get(call.client).answered(call.instance, call.id, (long) (call.endNanos - call.beginNanos));
	}

	/** Calls of an instance in relation to an even share. */
	double share(int index) {
		return this.calls[index] * (double) this.calls.length / CALLS;
	}

	/** The smallest or the largest share. */
	double share(boolean largest) {
		double[] all = IntStream.range(0, this.calls.length).mapToDouble(this::share).sorted().toArray();
		return all[largest ? all.length - 1 : 0];
	}

	/** Most calls that were at one instance at once. */
	int most() {
		return this.most;
	}

	/** Of the times of calls, in milliseconds. */
	double millis(double quantile) {
		double[] sorted = this.took.clone();
		Arrays.sort(sorted);
		return sorted[(int) (quantile * (sorted.length - 1))] / TimeUnit.MILLISECONDS.toNanos(1);
	}

	private record Call(int id, int client, int instance, double beginNanos, double endNanos) {
	}

}
