package io.rpcboot.loadbalance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.workload.UserService;

/**
 * Instances of which nothing is known.
 *
 * @param tried indexes of those from which the call came back
 */
record FakeCandidates(List<ServiceInstance> instances, Set<Integer> tried) implements Candidates {

	private static final MethodDescriptor METHOD = ServiceDescriptor.of(UserService.class).methods().get(0);

	static FakeCandidates of(Set<Integer> tried, int... weights) {
		List<ServiceInstance> result = new ArrayList<>();
		for (int weight : weights) {
			result.add(new ServiceInstance("i" + result.size(), "shop", new Endpoint("10.0.0.1", 7000 + result.size()),
					weight, 0, Set.of()));
		}
		return new FakeCandidates(List.copyOf(result), tried);
	}

	@Override
	public int size() {
		return this.instances.size();
	}

	@Override
	public ServiceInstance instance(int index) {
		return this.instances.get(index);
	}

	@Override
	public int pendingCalls(int index) {
		return 0;
	}

	@Override
	public long latencyNanos(int index) {
		return 0;
	}

	@Override
	public double recentSuccesses(int index) {
		return 0;
	}

	@Override
	public double recentFailures(int index) {
		return 0;
	}

	@Override
	public boolean wasTried(int index) {
		return this.tried.contains(index);
	}

	@Override
	public MethodDescriptor method() {
		return METHOD;
	}

	@Override
	public int attempt() {
		return this.tried.size();
	}

}
