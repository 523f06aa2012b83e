package io.rpcboot.internal.client.routing;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

/**
 * Instances of a routing table, as load balancers see them: ready ones, or ejected or
 * frozen ones if nothing else is left. First attempts of a method share one view, so a
 * choice allocates nothing; a retried call or a call with a key gets its own view.
 * Instances and weights do not change; views are cached, load figures are live. Any
 * thread.
 */
public final class CandidateSet {

	public static final CandidateSet NONE = new CandidateSet(List.of(), List.of(), new int[0], 0, System::nanoTime);

	private final List<ServiceInstance> instances;

	/** Statistics of the connections of each instance. */
	private final ConnectionStats[][] loads;

	private final int[] weights;

	/** Cumulative weights of the instances; null if all weights are equal. */
	private final long @Nullable [] sums;

	/**
	 * Views of first attempts by the method number within the service; made on demand.
	 */
	private final @Nullable Candidates[] first;

	private final LongSupplier nanoTime;

	public CandidateSet(List<ServiceInstance> instances, List<ConnectionStats[]> loads, int[] weights, int methods,
			LongSupplier nanoTime) {
		this.instances = List.copyOf(instances);
		this.loads = loads.toArray(new ConnectionStats[0][]);
		this.weights = weights;
		boolean equal = Arrays.stream(weights).allMatch((weight) -> weight == weights[0]);
		long[] sums = Arrays.stream(weights).asLongStream().toArray();
		Arrays.parallelPrefix(sums, Long::sum);
		this.sums = equal ? null : sums;
		this.first = new @Nullable Candidates[methods];
		this.nanoTime = nanoTime;
	}

	List<ServiceInstance> instances() {
		return this.instances;
	}

	/** Returns the candidates of a call of a method. */
	Candidates of(MethodDescriptor method, @Nullable AttemptHistory attempts, int keyHash) {
		boolean again = attempts != null && attempts.made() > 0;
		if (again || keyHash != 0) {
			return new View(method, again ? attempts : null, keyHash);
		}
		Candidates view = this.first[method.number()];
		if (view == null) { // two threads may make equal views
			view = new View(method, null, 0);
			this.first[method.number()] = view;
		}
		return view;
	}

	/** Returns the candidates of a call. */
	public Candidates of(ClientCall call) {
		CallMetadata context = call.context;
		return of(call.method.descriptor, call.attempts, (context != null) ? context.keyHash : 0);
	}

	private int random() {
		long[] all = this.sums;
		ThreadLocalRandom random = ThreadLocalRandom.current();
		if (all == null) {
			return random.nextInt(this.weights.length);
		}
		int found = Arrays.binarySearch(all, random.nextLong(all[all.length - 1]) + 1);
		return (found >= 0) ? found : -found - 1;
	}

	private final class View implements Candidates {

		private final MethodDescriptor method;

		private final @Nullable AttemptHistory attempts;

		private final int keyHash;

		View(MethodDescriptor method, @Nullable AttemptHistory attempts, int keyHash) {
			this.method = method;
			this.attempts = attempts;
			this.keyHash = keyHash;
		}

		@Override
		public int size() {
			return CandidateSet.this.loads.length;
		}

		@Override
		public ServiceInstance instance(int index) {
			return CandidateSet.this.instances.get(index);
		}

		@Override
		public List<ServiceInstance> instances() {
			return CandidateSet.this.instances;
		}

		@Override
		public int weight(int index) {
			return CandidateSet.this.weights[index];
		}

		@Override
		public int random() {
			return (this.attempts == null) ? CandidateSet.this.random() : Candidates.super.random();
		}

		@Override
		public int pendingCalls(int index) {
			int sum = 0;
			for (ConnectionStats load : CandidateSet.this.loads[index]) {
				sum += load.pendingCalls();
			}
			return sum;
		}

		@Override
		public long latencyNanos(int index) {
			long now = CandidateSet.this.nanoTime.getAsLong();
			long sum = 0;
			int known = 0;
			for (ConnectionStats load : CandidateSet.this.loads[index]) {
				long latency = load.latencyNanos(now);
				sum += latency;
				known += (latency > 0) ? 1 : 0;
			}
			return (known > 0) ? sum / known : 0;
		}

		@Override
		public double recentSuccesses(int index) {
			long now = CandidateSet.this.nanoTime.getAsLong();
			double sum = 0;
			for (ConnectionStats load : CandidateSet.this.loads[index]) {
				sum += load.recentSuccesses(now);
			}
			return sum;
		}

		@Override
		public double recentFailures(int index) {
			long now = CandidateSet.this.nanoTime.getAsLong();
			double sum = 0;
			for (ConnectionStats load : CandidateSet.this.loads[index]) {
				sum += load.recentFailures(now);
			}
			return sum;
		}

		@Override
		public boolean wasTried(int index) {
			Objects.checkIndex(index, size());
			return this.attempts != null && this.attempts.avoids(instance(index).endpoint());
		}

		@Override
		public MethodDescriptor method() {
			return this.method;
		}

		@Override
		public int keyHash() {
			return this.keyHash;
		}

		@Override
		public int attempt() {
			return (this.attempts != null) ? this.attempts.made() : 0;
		}

	}

}
