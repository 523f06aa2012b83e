package io.rpcboot.internal.client.routing;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.Registry.Subscription;

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
		this.source.follow(SERVICE, (instances) -> {
		});
		this.source.lookAgain();
		this.source.close();
		assertThat(this.asked).containsExactly("lookAgain", "close");
	}

}
