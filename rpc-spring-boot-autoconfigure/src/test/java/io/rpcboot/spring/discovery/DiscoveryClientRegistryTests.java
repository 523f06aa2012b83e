package io.rpcboot.spring.discovery;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.LookupThreads;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class DiscoveryClientRegistryTests {

	private static final ServiceId USERS = ServiceId.parse("com.acme.Users:1");

	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);

	private final AtomicLong clock = new AtomicLong();

	/** Look-ups that wait for their time. */
	private final Queue<Runnable> waiting = new ArrayDeque<>();

	private final FakeClient client = new FakeClient();

	private final DiscoveryOptions options = new DiscoveryOptions(
			Map.of("com.acme", "users", "org.other.Stock", "stock"), Duration.ofSeconds(10), "rpc-port");

	private final LookupThreads threads = new LookupThreads(
			(ScheduledExecutorService) Proxy.newProxyInstance(DiscoveryClientRegistryTests.class.getClassLoader(),
					new Class<?>[] { ScheduledExecutorService.class },
					(proxy, method,
							arguments) -> method.getName().equals("schedule") ? schedule((Runnable) arguments[0],
									((TimeUnit) arguments[2]).toNanos((long) arguments[1])) : List.of()),
			Runnable::run, this.clock::get);

	private final DiscoveryClientRegistry registry = new DiscoveryClientRegistry(this.client, this.options,
			this.threads);

	private final List<List<ServiceInstance>> told = new ArrayList<>();

	private ScheduledFuture<?> schedule(Runnable task, long nanos) {
		if (nanos <= LONGEST_PAUSE) { // else the watch over one that hangs
			this.waiting.add(task);
		}
		return (ScheduledFuture<?>) Proxy.newProxyInstance(DiscoveryClientRegistryTests.class.getClassLoader(),
				new Class<?>[] { ScheduledFuture.class }, (proxy, method, arguments) -> this.waiting.remove(task));
	}

	/** Let the time of all look-ups come. */
	private void lookUp() {
		this.clock.addAndGet(LONGEST_PAUSE);
		for (Runnable each : List.copyOf(this.waiting)) {
			this.waiting.remove(each);
			each.run();
		}
	}

	private List<String> endpoints() {
		return this.told.isEmpty() ? List.of()
				: this.told.get(this.told.size() - 1).stream().map((each) -> each.endpoint().toString()).toList();
	}

	private static DefaultServiceInstance instance(String host, Map<String, String> metadata) {
		return new DefaultServiceInstance("id-" + host, "users", host, 8080, false, metadata);
	}

	private static DefaultServiceInstance instance(String host) {
		return instance(host, Map.of("rpc-port", "9090"));
	}

	@Test
	void instances_takeOptionsFromMetadata() {
		this.client.answers(
				instance("10.0.0.2",
						Map.of("rpc-port", " 9091 ", "rpc-weight", "7", "rpc-zone", "eu-1a", "rpc-tag", "canary",
								"rpc-protocols", "native, GRPC", "rpc-tls", "true", "rpc-server-name", "users.shop")),
				instance("10.0.0.1"), instance("[fd00::1]", Map.of("rpc-port", "9092", "rpc-weight", "heavy")));
		this.registry.subscribe(USERS, this.told::add);
		assertThat(this.told).isEmpty();
		lookUp();
		assertThat(this.told).singleElement()
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly(
					new ServiceInstance("id-10.0.0.1", "users", Endpoint.parse("10.0.0.1:9090"), 100, 0, Set.of(USERS)),
					new ServiceInstance("id-10.0.0.2", "users", Endpoint.parse("10.0.0.2:9091"), 7, 0, Set.of(USERS),
							"eu-1a", "canary", Set.of(Protocol.NATIVE, Protocol.GRPC), true, "users.shop"),
					new ServiceInstance("id-[fd00::1]", "users", Endpoint.parse("[fd00::1]:9092"), 100, 0,
							Set.of(USERS)));
	}

	@Test
	void instances_areSkippedWithOneWarning_withoutRpcPort(CapturedOutput output) {
		this.client.answers(instance("10.0.0.1"), instance("10.0.0.2", Map.of("rpc-port", "none")),
				instance("10.0.0.3", Map.of()), instance("10.0.0.4", Map.of("rpc-port", "70000")));
		this.registry.subscribe(USERS, this.told::add);
		lookUp();
		lookUp();
		assertThat(endpoints()).containsExactly("10.0.0.1:9090");
		assertThat(output).containsOnlyOnce("Application users: 3 instances without an RPC port under 'rpc-port'");
		this.client.answers(instance("10.0.0.3", Map.of()));
		lookUp();
		lookUp();
		assertThat(endpoints()).isEmpty();
		assertThat(this.registry.adviceWithoutInstance(USERS))
			.isEqualTo("application users: 1 without an RPC port under 'rpc-port' in the metadata");
	}

	@Test
	void discoveryPort_isUsed_withoutMetadataKey() {
		try (DiscoveryClientRegistry other = new DiscoveryClientRegistry(this.client,
				new DiscoveryOptions(this.options.applications(), this.options.interval(), ""), this.threads)) {
			this.client.answers(instance("10.0.0.1", Map.of()));
			other.subscribe(USERS, this.told::add);
			lookUp();
			assertThat(endpoints()).containsExactly("10.0.0.1:8080");
		}
	}

	@Test
	void lookupFailure_keepsInstancesAndIsReported() {
		this.client.answers(instance("10.0.0.1"));
		this.registry.subscribe(USERS, this.told::add);
		lookUp();
		this.client.fails = true;
		lookUp();
		lookUp();
		lookUp();
		assertThat(this.told).hasSize(1);
		assertThat(this.registry.adviceWithoutInstance(USERS))
			.isEqualTo("Application users: IllegalStateException: away, for 20 s");
		assertThat(this.registry.state()).isEqualTo(RegistryState.DISCONNECTED);
		this.client.fails = false;
		this.client.answers(instance("10.0.0.2"));
		lookUp();
		assertThat(endpoints()).containsExactly("10.0.0.2:9090");
		assertThat(this.registry.state()).isEqualTo(RegistryState.CONNECTED);
	}

	@Test
	void outages_areCountedWithReason() {
		Subscription first = this.registry.subscribe(USERS, this.told::add);
		this.registry.subscribe(ServiceId.parse("org.other.Stock"), this.told::add);
		lookUp();
		assertThat(this.registry.problem()).isEmpty();
		assertThat(this.registry.outages()).isZero();
		this.client.fails = true;
		lookUp();
		lookUp();
		assertThat(this.registry.problem()).matches("Application .*: IllegalStateException: away, for 10 s");
		assertThat(this.registry.outages()).as("of both applications together").isOne();
		first.close();
		assertThat(this.registry.problem()).isEqualTo("Application stock: IllegalStateException: away, for 10 s");
		this.client.fails = false;
		lookUp();
		assertThat(this.registry.problem()).isEmpty();
		this.client.fails = true;
		lookUp();
		assertThat(this.registry.outages()).isEqualTo(2);
	}

	@Test
	void emptyResult_isPublished_whenReturnedTwice() {
		this.client.answers(instance("10.0.0.1"));
		this.registry.subscribe(USERS, this.told::add);
		lookUp();
		this.client.answers();
		lookUp();
		this.client.answers(instance("10.0.0.1"));
		lookUp();
		this.client.answers();
		lookUp();
		assertThat(this.told).as("never twice in a row").hasSize(1);
		lookUp();
		assertThat(this.told).hasSize(2);
		assertThat(endpoints()).isEmpty();
		assertThat(this.registry.adviceWithoutInstance(USERS)).isEqualTo("application users has no instance there");
	}

	@Test
	void firstResult_isPublished_whenEmpty() {
		this.registry.subscribe(USERS, this.told::add);
		lookUp();
		assertThat(this.told).containsExactly(List.of());
	}

	@Test
	void lookup_runsEarly_afterHeartbeatOrFailedConnection() {
		Subscription subscription = this.registry.subscribe(USERS, this.told::add);
		lookUp();
		this.client.answers(instance("10.0.0.1"));
		this.clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
		this.registry.onApplicationEvent(new HeartbeatEvent(this, 1));
		assertThat(this.waiting).as("one takes the place of the other").hasSize(1);
		this.waiting.remove().run();
		assertThat(endpoints()).containsExactly("10.0.0.1:9090");
		this.client.answers(instance("10.0.0.2"));
		this.clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
		subscription.lookAgain();
		this.waiting.remove().run();
		assertThat(endpoints()).containsExactly("10.0.0.2:9090");
	}

	@Test
	void lookup_isShared_byServicesOfOneApplication() {
		this.client.answers(instance("10.0.0.1"));
		Subscription first = this.registry.subscribe(USERS, this.told::add);
		lookUp();
		ServiceId groups = ServiceId.parse("com.acme.Groups");
		Subscription second = this.registry.subscribe(groups, this.told::add);
		assertThat(this.told).hasSize(2);
		assertThat(this.told.get(1)).singleElement()
			.satisfies((each) -> assertThat(each.services()).containsExactly(groups));
		lookUp();
		assertThat(this.client.asked).containsExactly("users", "users");
		first.close();
		lookUp();
		assertThat(this.client.asked).hasSize(3);
		second.close();
		lookUp();
		assertThat(this.client.asked).hasSize(3);
	}

	@Test
	void reference_isRejected_withoutApplicationMapping() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> this.registry.subscribe(ServiceId.parse("org.other.Prices"), this.told::add))
			.withMessageContaining("nothing is set for org.other.Prices");
	}

	@Test
	void registry_hasDescriptionAndState() {
		assertThat(this.registry.description()).isEqualTo("the DiscoveryClient (fake)");
		assertThat(this.registry.takesRegistrations()).isFalse();
		assertThat(this.registry.state()).isEqualTo(RegistryState.CONNECTED);
		this.registry.close();
		assertThat(this.registry.state()).isEqualTo(RegistryState.CLOSED);
	}

	private static final class FakeClient implements DiscoveryClient {

		private final List<String> asked = new ArrayList<>();

		private List<org.springframework.cloud.client.ServiceInstance> answer = List.of();

		private boolean fails;

		void answers(org.springframework.cloud.client.ServiceInstance... instances) {
			this.answer = Arrays.asList(instances);
		}

		@Override
		public String description() {
			return "fake";
		}

		@Override
		public List<org.springframework.cloud.client.ServiceInstance> getInstances(String serviceId) {
			this.asked.add(serviceId);
			if (this.fails) {
				throw new IllegalStateException("away");
			}
			return this.answer;
		}

		@Override
		public List<String> getServices() {
			throw new UnsupportedOperationException();
		}

	}

}
