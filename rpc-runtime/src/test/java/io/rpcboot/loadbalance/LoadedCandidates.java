package io.rpcboot.loadbalance;

import java.util.List;
import java.util.Set;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.registry.ServiceInstance;

/** Instances of which a test knows everything. */
class LoadedCandidates implements Candidates {

	private final Candidates instances;

	final int[] pending;

	final long[] latencyNanos;

	final double[] successes;

	final double[] failures;

	final int[] weights;

	/** Indexes of those from which the call came back, beside those that were given. */
	Set<Integer> tried = Set.of();

	int key;

	LoadedCandidates(Candidates instances) {
		this.instances = instances;
		this.pending = new int[instances.size()];
		this.latencyNanos = new long[instances.size()];
		this.successes = new double[instances.size()];
		this.failures = new double[instances.size()];
		this.weights = instances.instances().stream().mapToInt(ServiceInstance::weight).toArray();
	}

	@Override
	public int size() {
		return this.instances.size();
	}

	@Override
	public ServiceInstance instance(int index) {
		return this.instances.instance(index);
	}

	@Override
	public List<ServiceInstance> instances() {
		return this.instances.instances();
	}

	@Override
	public int weight(int index) {
		return this.weights[index];
	}

	@Override
	public int pendingCalls(int index) {
		return this.pending[index];
	}

	@Override
	public long latencyNanos(int index) {
		return this.latencyNanos[index];
	}

	@Override
	public double recentSuccesses(int index) {
		return this.successes[index];
	}

	@Override
	public double recentFailures(int index) {
		return this.failures[index];
	}

	@Override
	public boolean wasTried(int index) {
		return this.tried.contains(index) || this.instances.wasTried(index);
	}

	@Override
	public MethodDescriptor method() {
		return this.instances.method();
	}

	@Override
	public int keyHash() {
		return this.key;
	}

	@Override
	public int attempt() {
		return this.tried.size() + this.instances.attempt();
	}

}
