package io.rpcboot.engine.shutdown;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** One of two servers is taken out and back by its operator, under load. */
class ServerRegistrationIntegrationTests {

	private static final int THREADS = 4;

	private final CallsImpl ours = new CallsImpl();

	private final CallsImpl others = new CallsImpl();

	private EmbeddedZooKeeper zooKeeper;

	private Registry registry;

	/** Of the client: it learns of everything as another process would. */
	private Registry followed;

	private RpcServer server;

	private RpcServer other;

	private void start(boolean withZooKeeper) {
		if (withZooKeeper) {
			this.zooKeeper = new EmbeddedZooKeeper();
			this.registry = zooKeeper();
			this.followed = zooKeeper();
		}
		else {
			this.registry = new InMemoryRegistry();
			this.followed = this.registry;
		}
		this.server = serve(this.ours);
		this.other = serve(this.others);
	}

	private Registry zooKeeper() {
		return new ZooKeeperRegistry(ZooKeeperRegistryOptions.defaults(this.zooKeeper.connectString())
			.withGraceTime(Duration.ofMillis(200)));
	}

	private RpcServer serve(CallsImpl implementation) {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.registry(this.registry)
			.service(Calls.class, implementation)
			.start();
	}

	@AfterEach
	void stop() {
		for (RpcServer each : new RpcServer[] { this.server, this.other }) {
			if (each != null) {
				each.close();
			}
		}
		if (this.registry != null) {
			this.followed.close();
			this.registry.close();
		}
		if (this.zooKeeper != null) {
			this.zooKeeper.close();
		}
	}

	private void awaitCalls(CallsImpl implementation, Load load) {
		int before = implementation.executed.get();
		Eventually.until("it is called", () -> implementation.executed.get() > before || !load.failures().isEmpty());
	}

	private void awaitNone(CallsImpl implementation, Load load) {
		Eventually.until("it is called no longer", () -> {
			int before = implementation.executed.get();
			load.awaitMore(200);
			return implementation.executed.get() == before || !load.failures().isEmpty();
		});
	}

	@ParameterizedTest(name = "ZooKeeper {0}")
	@ValueSource(booleans = { false, true })
	void calls_succeed_whileServerGoesOfflineAndOnline(boolean withZooKeeper) throws Exception {
		start(withZooKeeper);
		try (RpcClient client = RpcClient.builder().registry(this.followed).build();
				RpcClient direct = RpcClient.builder().build()) {
			Calls calls = client.reference(Calls.class);
			Calls directCalls = direct.reference(Calls.class, ReferenceStates.at(this.server));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			assertThat(directCalls.greet("Doug")).isEqualTo("hello Doug");
			try (Load load = new Load(THREADS, (number) -> calls.greet("n" + number))) {
				awaitCalls(this.ours, load);
				this.server.offline("maintenance");
				awaitNone(this.ours, load);
				assertThat(this.server.registeredLocation()).isEmpty();
				assertThat(directCalls.greet("Doug")).as("calls that come are served").isEqualTo("hello Doug");
				this.server.online("maintenance is over");
				awaitCalls(this.ours, load);
				assertThat(this.server.presence().mode()).isEqualTo(Mode.ONLINE);
				this.server.drain("again").get(10, TimeUnit.SECONDS);
				Eventually.until("all have gone", () -> this.server.inFlightCalls() == 0);
				awaitNone(this.ours, load);
				this.server.online("at last");
				awaitCalls(this.ours, load);
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

	@ParameterizedTest(name = "ZooKeeper {0}")
	@ValueSource(booleans = { false, true })
	void weightChange_reachesSubscribers_withoutDeregistration(boolean withZooKeeper) {
		start(withZooKeeper);
		List<List<ServiceInstance>> told = new CopyOnWriteArrayList<>();
		this.followed.subscribe(this.server.services().get(0).service(), told::add);
		Eventually.until("both are known", () -> !told.isEmpty() && told.get(told.size() - 1).size() == 2);
		int before = told.size();
		this.server.weight(7, "small machine");
		Eventually.until("told", () -> weights(told.get(told.size() - 1)).equals(List.of(7, 100)));
		assertThat(told.subList(before, told.size())).allMatch((list) -> list.size() == 2);
		assertThat(this.server.presence().weight()).isEqualTo(7);
		this.server.offline("test");
		this.server.weight(9, "while it is out");
		this.server.online("test");
		Eventually.until("kept", () -> weights(told.get(told.size() - 1)).equals(List.of(9, 100)));
	}

	private static List<Integer> weights(List<ServiceInstance> instances) {
		return instances.stream().map(ServiceInstance::weight).sorted().toList();
	}

	/** Behind fixed addresses, as behind a name service. */
	@Test
	void drainedServer_returnsOnline_withoutRegistry() throws Exception {
		this.server = RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Calls.class, this.ours).start();
		this.other = RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Calls.class, this.others).start();
		try (RpcClient client = RpcClient.builder().build(); RpcClient late = RpcClient.builder().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server.port(), this.other.port()));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			CompletableFuture<String> underWay = pendingAt(this.ours, calls);
			try (Load load = new Load(THREADS, (number) -> calls.greet("n" + number))) {
				this.server.drain("test").get(10, TimeUnit.SECONDS);
				awaitNone(this.ours, load);
				assertThat(this.server.inFlightCalls()).isOne();
				Calls lateCalls = late.reference(Calls.class,
						ReferenceStates.at(this.server.port(), this.other.port()));
				assertThat(lateCalls.greet("Doug")).isEqualTo("hello Doug");
				Eventually.until("those who come are told, too",
						() -> ReferenceStates.instances(late)
							.stream()
							.anyMatch((each) -> each.problem().contains("drained by an operator")));
				this.ours.futures.remove().complete("done");
				assertThat(underWay.get(10, TimeUnit.SECONDS)).isEqualTo("done");
				Eventually.until("it is idle", () -> this.server.inFlightCalls() == 0);
				this.server.online("test");
				awaitCalls(this.ours, load);
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

	private CompletableFuture<String> pendingAt(CallsImpl implementation, Calls calls) {
		while (true) {
			CompletableFuture<String> future = calls.laterAtGate("Doug");
			Eventually.until("it runs", () -> !this.ours.futures.isEmpty() || !this.others.futures.isEmpty());
			if (!implementation.futures.isEmpty()) {
				return future;
			}
			this.others.futures.remove().complete("elsewhere");
		}
	}

	@Test
	void operatorActions_areRefused_whenImpossible() {
		this.server = RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Calls.class, this.ours).start();
		assertThatIllegalStateException().isThrownBy(() -> this.server.offline("test"))
			.withMessageContaining("not registered, because it has no registry");
		assertThatIllegalStateException().isThrownBy(() -> this.server.weight(5, "test"))
			.withMessageContaining("not registered, because it has no registry");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> this.server.weight(0, "test"))
			.withMessageContaining("1 to 10000");
		this.server.online("test");
		assertThat(this.server.presence().mode()).isEqualTo(Mode.ONLINE);
		this.server.close();
		assertThatIllegalStateException().isThrownBy(() -> this.server.drain("test"));
	}

	@Test
	void server_isRegistered_whenOperatorAndApplicationAllowIt() {
		this.registry = new InMemoryRegistry();
		this.followed = this.registry;
		this.server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.registry(this.registry)
			.instance(InstanceOptions.defaults().withWeight(5))
			.service(Calls.class, this.ours)
			.build();
		this.server.offline("not yet");
		this.server.start();
		assertThat(this.server.registeredLocation()).isEmpty();
		this.server.deregister();
		this.server.online("now");
		assertThat(this.server.registeredLocation()).as("the application takes no traffic").isEmpty();
		this.server.register();
		assertThat(this.server.registeredLocation()).isNotEmpty();
		assertThat(this.server.presence().weight()).isEqualTo(5);
	}

}
