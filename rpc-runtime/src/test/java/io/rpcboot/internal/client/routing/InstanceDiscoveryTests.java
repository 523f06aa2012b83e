package io.rpcboot.internal.client.routing;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;

import static org.assertj.core.api.Assertions.assertThat;

/** A registry of the application's own that is broken. */
class InstanceDiscoveryTests {

	private static final ServiceId SERVICE = ServiceId.parse("c.Greeter:1");

	private final List<String> asked = new ArrayList<>();

	private final InstanceDiscovery source = InstanceDiscovery.of((Registry) broken(Registry.class));

	private Object broken(Class<?> type) {
		return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "subscribe" -> broken(Subscription.class);
					case "description" -> "a broken registry";
					default -> {
						this.asked.add(method.getName());
						throw new AssertionError("broken");
					}
				});
	}

	/** A call that fails is about to be told why. */
	@Test
	void failingRegistryState_isNamedInCallFailure() {
		assertThat(this.source.trouble(SERVICE, false, (service) -> "")).contains(AssertionError.class.getName());
		assertThat(this.asked).containsExactly("state");
	}

	@Test
	void failingAdvice_isNamedInCallFailure() {
		InstanceDiscovery calm = InstanceDiscovery.of((Registry) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Registry.class }, (proxy, method, arguments) -> null));
		assertThat(calm.trouble(SERVICE, false, (service) -> {
			throw new IllegalStateException("broken");
		})).contains(IllegalStateException.class.getName());
	}

	@Test
	void failingSubscription_isOnlyLogged() {
		this.source.follow(SERVICE, Protocol.NATIVE, (instances) -> {
		});
		this.source.lookAgain();
		this.source.close();
		assertThat(this.asked).containsExactly("lookAgain", "close");
	}

	@Test
	void instances_speakTheProtocol_orAreNamedInCallFailure() {
		InMemoryRegistry registry = new InMemoryRegistry();
		registry.register(instance(1, Set.of(Protocol.NATIVE)));
		registry.register(instance(2, Set.of(Protocol.NATIVE)));
		InstanceDiscovery grpc = InstanceDiscovery.of(registry);
		List<List<ServiceInstance>> told = new CopyOnWriteArrayList<>();
		grpc.follow(SERVICE, Protocol.GRPC, told::add);
		Eventually.until("instances are named", () -> !told.isEmpty());
		assertThat(told.get(0)).isEmpty();
		assertThat(grpc.trouble(SERVICE, false, (service) -> ""))
			.contains("it names 2 without protocol grpc, which the reference has: set rpc.server.protocols there");
		registry.register(instance(3, Set.of(Protocol.NATIVE, Protocol.GRPC)));
		registry.register(instance(4, Set.of()));
		Eventually.until("both are named", () -> told.get(told.size() - 1).size() == 2);
		assertThat(grpc.trouble(SERVICE, true, (service) -> "")).isEmpty();
	}

	private static ServiceInstance instance(int port, Set<Protocol> protocols) {
		return new ServiceInstance("i" + port, "shop", new Endpoint("10.0.0.1", port), 1, 0, Set.of(SERVICE), "", "",
				protocols);
	}

}
