package io.rpcboot.internal.client.routing;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import com.sun.management.ThreadMXBean;
import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.transport.binary.BinaryFrame;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.loadbalance.RoundRobinLoadBalancer;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CandidateSetTests {

	private static final int WARM_UP = 30_000;

	private static final int CHOICES = 10_000;

	private static final int ATTEMPTS = 20;

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long NOW = 5 * MILLI;

	private static final List<MethodDescriptor> METHODS = ServiceDescriptor.of(UserService.class).methods();

	private final List<CallTable<Call>> tables = new ArrayList<>();

	private final List<ConnectionStats> loads = new ArrayList<>();

	/** Two instances; the first has one connection, the second two. */
	private final CandidateSet ready = new CandidateSet(List.of(instance("a", 1), instance("b", 2)),
			List.of(new ConnectionStats[] { load() }, new ConnectionStats[] { load(), load() }), new int[] { 100, 200 },
			METHODS.size(), () -> NOW);

	private final Candidates candidates = this.ready.of(METHODS.get(0), null, 0);

	private static ServiceInstance instance(String id, int number) {
		return new ServiceInstance(id, "shop", endpoint(number), 100 * number, 1000 * number, Set.of());
	}

	private static Endpoint endpoint(int number) {
		return new Endpoint("10.0.0." + number, 7000);
	}

	private ConnectionStats load() {
		CallTable<Call> pending = new CallTable<>();
		this.tables.add(pending);
		this.loads.add(new ConnectionStats(pending));
		return this.loads.get(this.loads.size() - 1);
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

	@Test
	void candidates_exposeInstances() {
		assertThat(this.candidates.size()).isEqualTo(2);
		assertThat(this.candidates.instances()).extracting(ServiceInstance::id).containsExactly("a", "b");
		assertThat(this.candidates.instance(1)).isSameAs(this.candidates.instances().get(1));
		assertThat(this.candidates.weight(1)).isEqualTo(200);
		assertThat(this.candidates.startedAtMillis(1)).isEqualTo(2000);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 2, Integer.MAX_VALUE })
	void invalidIndex_isRejected(int index) {
		Candidates again = this.ready.of(METHODS.get(0), cameBackFrom(1), 0);
		for (Candidates each : List.of(this.candidates, again)) {
			for (IntConsumer question : List.<IntConsumer>of(each::instance, each::weight, each::startedAtMillis,
					each::pendingCalls, each::latencyNanos, each::recentSuccesses, each::recentFailures,
					each::wasTried)) {
				assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> question.accept(index));
			}
		}
	}

	@Test
	void pendingCalls_areSummedOverConnections() {
		this.tables.get(0).put(new Call(1));
		this.tables.get(1).put(new Call(1));
		this.tables.get(1).put(new Call(2));
		this.tables.get(2).put(new Call(1));
		assertThat(this.candidates.pendingCalls(0)).isEqualTo(1);
		assertThat(this.candidates.pendingCalls(1)).isEqualTo(3);
		this.tables.get(1).remove(2);
		assertThat(this.candidates.pendingCalls(1)).isEqualTo(2);
		assertThat(this.loads).as("for that nothing is measured").noneMatch((load) -> load.measures);
	}

	@Test
	void latency_isAveragedOverMeasuredConnections() {
		assertThat(this.candidates.latencyNanos(1)).isZero();
		assertThat(this.loads).extracting((load) -> load.measures).containsExactly(false, true, true);
		this.loads.get(1).ended(RpcStatus.OK, 2 * MILLI, NOW);
		assertThat(this.candidates.latencyNanos(1)).isEqualTo(2 * MILLI);
		this.loads.get(2).ended(RpcStatus.OK, 4 * MILLI, NOW);
		assertThat(this.candidates.latencyNanos(1)).isEqualTo(3 * MILLI);
		assertThat(this.candidates.latencyNanos(0)).isZero();
	}

	@Test
	void outcomes_areSummedOverConnections() {
		this.loads.get(0).ended(RpcStatus.OK, MILLI, NOW);
		this.loads.get(1).ended(RpcStatus.OK, MILLI, NOW);
		this.loads.get(1).ended(RpcStatus.INTERNAL, MILLI, NOW);
		this.loads.get(2).ended(RpcStatus.INTERNAL, MILLI, NOW);
		assertThat(this.candidates.recentSuccesses(0)).isEqualTo(1);
		assertThat(this.candidates.recentFailures(0)).isZero();
		assertThat(this.candidates.recentSuccesses(1)).isEqualTo(1);
		assertThat(this.candidates.recentFailures(1)).isEqualTo(2);
	}

	@Test
	void firstAttempts_shareCandidatesByMethod() {
		assertThat(this.candidates.method()).isSameAs(METHODS.get(0));
		assertThat(this.candidates.attempt()).isZero();
		assertThat(this.candidates.wasTried(0) || this.candidates.wasTried(1)).isFalse();
		assertThat(this.ready.of(METHODS.get(0), null, 0)).isSameAs(this.candidates);
		assertThat(this.ready.of(METHODS.get(1), null, 0).method()).isSameAs(METHODS.get(1));
		AttemptHistory waited = new AttemptHistory(0);
		assertThat(waited.waits()).isEqualTo(1);
		assertThat(this.ready.of(METHODS.get(0), waited, 0)).as("it was not sent").isSameAs(this.candidates);
	}

	@Test
	void candidates_rememberTriedInstances() {
		Candidates again = this.ready.of(METHODS.get(1), cameBackFrom(2, 3, 2), 0);
		assertThat(again.attempt()).isEqualTo(3);
		assertThat(again.method()).isSameAs(METHODS.get(1));
		assertThat(again.wasTried(0)).isFalse();
		assertThat(again.wasTried(1)).isTrue();
		assertThat(this.ready.of(METHODS.get(1), null, 0).wasTried(1)).as("another call").isFalse();
	}

	private static AttemptHistory cameBackFrom(int... numbers) {
		AttemptHistory attempts = new AttemptHistory(0);
		for (int number : numbers) {
			attempts.cameBack(endpoint(number));
		}
		return attempts;
	}

	/** Asks everything that can be asked of numbers. */
	private static int curious(Candidates candidates) {
		double best = Double.MAX_VALUE;
		int chosen = 0;
		for (int i = 0; i < candidates.size(); i++) {
			double failed = candidates.recentFailures(i) / (1 + candidates.recentSuccesses(i));
			double cost = (1 + candidates.pendingCalls(i)) * (1 + candidates.latencyNanos(i)) * (1 + failed)
					/ candidates.weight(i);
			if (cost < best && !candidates.wasTried(i) && candidates.startedAtMillis(i) > 0) {
				best = cost;
				chosen = i;
			}
		}
		return chosen + candidates.attempt();
	}

	static List<LoadBalancer> balancers() {
		return List.of(new RandomLoadBalancer(), new RoundRobinLoadBalancer(), CandidateSetTests::curious);
	}

	@ParameterizedTest
	@MethodSource("balancers")
	void choice_allocatesNothing(LoadBalancer balancer) {
		LoadBalancer guarded = new SafeLoadBalancer(balancer);
		int[] counts = new int[2];
		this.loads.forEach((load) -> load.ended(RpcStatus.OK, MILLI, NOW));
		choose(guarded, counts, WARM_UP);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		double least = Double.MAX_VALUE;
		for (int i = 0; i < ATTEMPTS && least >= 1; i++) {
			long before = threads.getCurrentThreadAllocatedBytes();
			choose(guarded, counts, CHOICES);
			least = Math.min(least, (double) (threads.getCurrentThreadAllocatedBytes() - before) / CHOICES);
		}
		assertThat(least).as("bytes allocated by one choice").isLessThan(1.0);
		assertThat(counts[0] + counts[1]).isGreaterThanOrEqualTo(WARM_UP + CHOICES);
	}

	@Test
	void choice_succeeds_whenBalancerThrows() {
		LoadBalancer guarded = new SafeLoadBalancer((candidates) -> {
			throw new AssertionError("wrong");
		});
		assertThat(guarded.choose(this.ready.of(METHODS.get(0), null, 0))).isBetween(0, 1);
	}

	private void choose(LoadBalancer balancer, int[] counts, int choices) {
		for (int i = 0; i < choices; i++) {
			counts[balancer.choose(this.ready.of(METHODS.get(0), null, 0))]++;
		}
	}

	@ParameterizedTest
	@MethodSource("balancers")
	void balancers_measureNothing_unlessTheyReadStatistics(LoadBalancer balancer) {
		assertThat(balancer.choose(this.candidates)).isBetween(0, 1);
		boolean asks = !balancer.getClass().getName().startsWith(LoadBalancer.class.getPackageName());
		assertThat(this.loads).allMatch((load) -> load.measures == asks);
	}

}
