package io.rpcboot.registry;

import java.time.Instant;
import java.util.List;

import io.rpcboot.fixture.Eventually;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InMemoryRegistryTests extends AbstractRegistryContract {

	@Override
	protected List<Registry> open() {
		InMemoryRegistry registry = new InMemoryRegistry();
		return List.of(registry, registry);
	}

	@Test
	void registry_describesItself() {
		assertThat(provider().isLocal()).isTrue();
		assertThat(provider().description()).isEqualTo("the in-memory registry");
		assertThat(provider().state()).isEqualTo(RegistryState.CONNECTED);
	}

	@Test
	void registry_isConnected_untilClosed() {
		Instant before = Instant.now();
		Registry registry = provider();
		Instant created = registry.stateSince();
		assertThat(created).isBetween(before, Instant.now());
		registry.close();
		assertThat(registry.state()).isEqualTo(RegistryState.CLOSED);
		Instant closed = registry.stateSince();
		assertThat(closed).isAfterOrEqualTo(created);
		registry.close();
		assertThat(registry.stateSince()).isEqualTo(closed);
		assertThat(registry.outages()).isZero();
	}

	@Test
	void list_isEmpty_afterLastInstanceLeaves() {
		Registry.Registration a = provider().register(instance("a", 1, 0, USERS));
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		snapshots.await("a");
		a.close();
		Eventually.until("empty", () -> snapshots.ids().isEmpty());
	}

	@Test
	void subscriber_isNotified_beforeRegisterReturns() {
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		for (int i = 1; i < 200; i++) {
			Registry.Registration registration = provider().register(instance("n" + i, i, 0, USERS));
			assertThat(snapshots.ids()).contains("n" + i);
			registration.close();
		}
	}

	@Test
	void listener_mayRegisterInstance() {
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(ORDERS, snapshots);
		consumer().subscribe(USERS, (instances) -> instances
			.forEach((each) -> provider().register(instance("o-" + each.id(), 9, 0, ORDERS))));
		provider().register(instance("a", 1, 0, USERS));
		snapshots.await("o-a");
	}

}
