package io.rpcboot.internal.client.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.client.call.RoutingKeys;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.binary.BinaryFrame;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

/**
 * Instances as load balancers see them in a client, without connections: what the
 * benchmark of the balancers says of calls is what they see. In this package because it
 * is the client's own view that is measured.
 */
public final class MeasuredInstances {

	private static final MethodDescriptor METHOD = ServiceDescriptor.of(Runnable.class).methods().get(0);

	private final List<CallTable<Call>> pending = new ArrayList<>();

	private final List<ConnectionStats> loads = new ArrayList<>();

	private final CandidateSet ready;

	private final LongSupplier nanoTime;

	/**
	 * Create instances with one connection each and nothing under way.
	 * @param weights for each instance its weight
	 * @param nanoTime the clock
	 */
	public MeasuredInstances(int[] weights, LongSupplier nanoTime) {
		this(IntStream.range(0, weights.length).mapToObj((i) -> instance(i, weights[i])).toList(), nanoTime);
	}

	private MeasuredInstances(List<ServiceInstance> instances, LongSupplier nanoTime) {
		List<ConnectionStats[]> ofEach = new ArrayList<>();
		for (int i = 0; i < instances.size(); i++) {
			CallTable<Call> calls = new CallTable<>();
			ConnectionStats load = new ConnectionStats(calls);
			this.pending.add(calls);
			this.loads.add(load);
			ofEach.add(new ConnectionStats[] { load });
		}
		this.nanoTime = nanoTime;
		this.ready = new CandidateSet(instances, ofEach, instances.stream().mapToInt(ServiceInstance::weight).toArray(),
				1, nanoTime);
	}

	private static ServiceInstance instance(int number, int weight) {
		return new ServiceInstance("instance-" + number, "shop",
				new Endpoint("10.0.%d.%d".formatted(number / 200, 1 + number % 200), 9090), weight, 0, Set.of());
	}

	/**
	 * The same without one of them.
	 * @param index which one goes
	 * @return instances with nothing under way
	 */
	public MeasuredInstances without(int index) {
		List<ServiceInstance> fewer = new ArrayList<>(this.ready.instances());
		fewer.remove(index);
		return new MeasuredInstances(fewer, this.nanoTime);
	}

	/**
	 * What a balancer sees of a call.
	 * @param key its key, null if it has none
	 * @return valid until the next call
	 */
	public Candidates forCall(@Nullable String key) {
		return this.ready.of(METHOD, null, RoutingKeys.hash(key));
	}

	/**
	 * A call is sent.
	 * @param index to which instance
	 * @param id its number
	 */
	public void sent(int index, long id) {
		this.pending.get(index).put(new Call(id));
	}

	/**
	 * A call has its answer.
	 * @param index from which instance
	 * @param id its number
	 * @param nanos how long it took
	 */
	public void answered(int index, long id, long nanos) {
		this.pending.get(index).remove(id);
		if (this.loads.get(index).measures) {
			this.loads.get(index).ended(RpcStatus.OK, nanos, this.nanoTime.getAsLong());
		}
	}

	private static final class Call extends BinaryFrame {

		Call(long id) {
			super(FrameType.REQUEST, NOTHING);
			this.callId = id;
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			return WriteDecision.SKIP;
		}

		@Override
		public void onRejected() {
		}

	}

}
