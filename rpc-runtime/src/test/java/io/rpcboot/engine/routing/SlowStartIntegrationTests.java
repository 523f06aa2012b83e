package io.rpcboot.engine.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.rpcboot.ServiceId;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A new instance beside one that started long ago. Ages are days, so that the weights do
 * not depend on the duration of a test.
 */
@Timeout(120)
class SlowStartIntegrationTests {

	private static final Duration SLOW_START = Duration.ofDays(1000);

	private static final int CALLS = 4000;

	private final CallsImpl oldCalls = new CallsImpl();

	private final CallsImpl newCalls = new CallsImpl();

	/** Weights that the load balancer sees, by instance. */
	private final Map<String, Integer> weights = new ConcurrentHashMap<>();

	/** The weight is in hundredths while an instance has a part of it. */
	@ParameterizedTest(name = "{0} days old: {1} beside {2}")
	@CsvSource({ "0, 1000, 10000", "250, 3250, 10000", "500, 5500, 10000", "900, 9100, 10000", "1000, 100, 100",
			"2000, 100, 100", "-10, 1000, 10000" })
	void weight_growsWithAge_untilEndOfSlowStart(int days, int weight, int weightOfOld) {
		long started = System.currentTimeMillis() - TimeUnit.DAYS.toMillis(days);
		call(RoutingOptions.defaults().withSlowStart(SLOW_START), started, 1);
		assertThat(this.weights).containsExactlyInAnyOrderEntriesOf(Map.of("new", weight, "old", weightOfOld));
	}

	@Test
	void weight_isWhole_withoutStartTimeOrSlowStart() {
		call(RoutingOptions.defaults().withSlowStart(SLOW_START), 0, 1);
		assertThat(this.weights).containsExactlyInAnyOrderEntriesOf(Map.of("new", 100, "old", 100));
		call(RoutingOptions.defaults().withSlowStart(Duration.ZERO), System.currentTimeMillis(), 1);
		assertThat(this.weights).containsExactlyInAnyOrderEntriesOf(Map.of("new", 100, "old", 100));
	}

	/** One call in eleven, with a standard deviation of 18 calls. */
	@Test
	void newInstance_getsTenthOfCallsOfOldOne() {
		call(RoutingOptions.defaults().withSlowStart(SLOW_START), System.currentTimeMillis(), CALLS);
		assertThat(this.newCalls.executed.get()).isBetween(CALLS / 11 - 120, CALLS / 11 + 120);
		assertThat(this.newCalls.executed.get() + this.oldCalls.executed.get()).isEqualTo(CALLS);
	}

	@Test
	void slowStart_takes30Seconds_byDefault() {
		assertThat(RoutingOptions.defaults().slowStart()).isEqualTo(Duration.ofSeconds(30));
	}

	/**
	 * The clock of its host is ahead, so its age is the time since this client saw it.
	 */
	@Test
	void weight_becomesWhole_withoutFurtherEvent() {
		long started = System.currentTimeMillis() + TimeUnit.DAYS.toMillis(10);
		List<Integer> seen = new ArrayList<>();
		try (RpcServer oldServer = server(this.oldCalls);
				RpcServer newServer = server(this.newCalls);
				Registry registry = registry(oldServer, newServer, started);
				RpcClient client = client(registry, RoutingOptions.defaults().withSlowStart(Duration.ofSeconds(3)))) {
			Calls calls = connect(client);
			Eventually.until("weights are equal", () -> {
				calls.greet("x");
				seen.add(this.weights.get("new") * 100 / this.weights.get("old"));
				return seen.get(seen.size() - 1) == 100;
			});
		}
		assertThat(seen).isSorted();
	}

	private void call(RoutingOptions routing, long started, int count) {
		try (RpcServer oldServer = server(this.oldCalls);
				RpcServer newServer = server(this.newCalls);
				Registry registry = registry(oldServer, newServer, started);
				RpcClient client = client(registry, routing)) {
			Calls calls = connect(client);
			for (int i = 0; i < count; i++) {
				calls.greet("x");
			}
		}
	}

	private static Calls connect(RpcClient client) {
		Calls calls = client.reference(Calls.class);
		Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
		return calls;
	}

	private static RpcServer server(Calls implementation) {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Calls.class, implementation).start();
	}

	private static Registry registry(RpcServer oldServer, RpcServer newServer, long started) {
		Registry registry = new InMemoryRegistry();
		long longAgo = System.currentTimeMillis() - 2 * SLOW_START.toMillis();
		registry.register(instance("old", oldServer, longAgo));
		registry.register(instance("new", newServer, started));
		return registry;
	}

	private static ServiceInstance instance(String id, RpcServer server, long started) {
		return new ServiceInstance(id, "shop", server.advertisedEndpoint(), ServiceInstance.DEFAULT_WEIGHT, started,
				Set.of(ServiceId.of(Calls.class)));
	}

	private RpcClient client(Registry registry, RoutingOptions routing) {
		RandomLoadBalancer random = new RandomLoadBalancer();
		return RpcClient.builder()
			.registry(registry)
			.timeout(Duration.ofSeconds(20))
			.resilience(ResilienceOptions.defaults().withRouting(routing))
			.loadBalancer(() -> (candidates) -> {
				look(candidates);
				return random.choose(candidates);
			})
			.build();
	}

	private void look(Candidates candidates) {
		for (int i = 0; i < candidates.size(); i++) {
			this.weights.put(candidates.instance(i).id(), candidates.weight(i));
		}
	}

}
