package io.rpcboot.registry;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Contract of every registry, with two views of the same directory. */
public abstract class AbstractRegistryContract {

	protected static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	protected static final ServiceId ORDERS = new ServiceId("com.acme.OrderService", "2", "blue");

	private Registry provider;

	private Registry consumer;

	/** Two registries of the same directory, or the same one twice. */
	protected abstract List<Registry> open();

	protected final Registry provider() {
		if (this.provider == null) {
			List<Registry> both = open();
			this.provider = both.get(0);
			this.consumer = both.get(1);
		}
		return this.provider;
	}

	protected final Registry consumer() {
		provider();
		return this.consumer;
	}

	@AfterEach
	void closeBoth() {
		if (this.provider != null) {
			this.provider.close();
			this.consumer.close();
		}
	}

	@Test
	void registeredInstance_isSeen_withAllItsFields() {
		ServiceInstance instance = instance("a", 1, 5, USERS, ORDERS);
		Registry.Registration registration = provider().register(instance);
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(ORDERS, snapshots);
		Eventually.until("instance seen", () -> snapshots.all().contains(List.of(instance)));
		Eventually.until("registered", registration::isRegistered);
		assertThat(registration.location()).contains("shop").endsWith("a");
		assertThat(snapshots.thread()).startsWith("rpc-registry-");
	}

	@Test
	void subscriberOfUnknownService_receivesEmptyListThenInstance() {
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		Eventually.until("told", () -> !snapshots.all().isEmpty());
		assertThat(snapshots.ids()).isEmpty();
		provider().register(instance("a", 1, 0, USERS));
		snapshots.await("a");
	}

	@Test
	void registration_updatesInstanceInPlace() {
		ServiceInstance instance = instance("a", 1, 7, USERS);
		Registry.Registration registration = provider().register(instance);
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		snapshots.await("a");
		int told = snapshots.all().size();
		assertThat(registration.update(instance.withWeight(7))).isTrue();
		Eventually.until("told", () -> snapshots.all().contains(List.of(instance.withWeight(7))));
		assertThat(snapshots.all().subList(told, snapshots.all().size())).hasSize(1);
		assertThat(registration.isRegistered()).isTrue();
		registration.close();
		registration.update(instance.withWeight(8));
		assertThat(registration.isRegistered()).isFalse();
	}

	@Test
	void closedRegistration_leavesOtherInstances() {
		Registry.Registration a = provider().register(instance("a", 1, 0, USERS));
		provider().register(instance("b", 2, 0, USERS));
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		snapshots.await("a", "b");
		a.close();
		a.close();
		assertThat(a.isRegistered()).isFalse();
		snapshots.await("b");
	}

	@Test
	void subscriber_receivesInstancesOfItsServiceOnly() {
		provider().register(instance("a", 1, 0, USERS));
		provider().register(instance("b", 2, 0, ORDERS));
		Snapshots users = new Snapshots();
		Snapshots orders = new Snapshots();
		consumer().subscribe(USERS, users);
		consumer().subscribe(ORDERS, orders);
		users.await("a");
		orders.await("b");
		assertThat(users.all()).noneMatch((list) -> list.stream().anyMatch((one) -> one.id().equals("b")));
	}

	@Test
	void olderInstance_isDropped_whenEndpointsAreEqual() {
		provider().register(instance("new", 1, 200, USERS));
		provider().register(instance("old", 1, 100, USERS));
		provider().register(instance("other", 2, 100, USERS));
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		snapshots.await("new", "other");
	}

	@Test
	void secondSubscriber_receivesCurrentListAndClosedSubscriberNothing() {
		Snapshots first = new Snapshots();
		Registry.Subscription subscription = consumer().subscribe(USERS, first);
		provider().register(instance("a", 1, 0, USERS));
		first.await("a");
		Snapshots second = new Snapshots();
		consumer().subscribe(USERS, second);
		second.await("a");
		subscription.close();
		subscription.close();
		int told = first.all().size();
		provider().register(instance("b", 2, 0, USERS));
		second.await("a", "b");
		assertThat(first.all()).hasSize(told);
	}

	@Test
	void failingListener_leavesOthersUnaffected_afterException() {
		consumer().subscribe(USERS, (snapshot) -> {
			throw new IllegalStateException("listener on purpose");
		});
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		provider().register(instance("a", 1, 0, USERS));
		snapshots.await("a");
		provider().register(instance("b", 2, 0, USERS));
		snapshots.await("a", "b");
	}

	@Test
	void failingListener_leavesOthersUnaffected_afterError() {
		consumer().subscribe(USERS, (snapshot) -> {
			throw new OutOfMemoryError("listener on purpose");
		});
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		provider().register(instance("a", 1, 0, USERS));
		snapshots.await("a");
		provider().register(instance("b", 2, 0, USERS));
		snapshots.await("a", "b");
	}

	@Test
	void blockingListener_doesNotBlockRegister() throws InterruptedException {
		CountDownLatch told = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		provider().subscribe(USERS, (snapshot) -> {
			told.countDown();
			awaitQuietly(release);
		});
		told.await();
		Registry.Registration registration = provider().register(instance("a", 1, 0, USERS));
		release.countDown();
		Eventually.until("registered", registration::isRegistered);
	}

	@Test
	void listener_mayCloseRegistration() {
		Registry.Registration a = provider().register(instance("a", 1, 0, USERS));
		Eventually.until("registered", a::isRegistered);
		provider().subscribe(USERS, (snapshot) -> a.close());
		Eventually.until("taken out", () -> !a.isRegistered());
	}

	@Test
	void instance_mayLeaveAndReturn() {
		ServiceInstance instance = instance("a", 1, 0, USERS);
		Snapshots snapshots = new Snapshots();
		consumer().subscribe(USERS, snapshots);
		provider().register(instance("b", 2, 0, USERS));
		for (int i = 0; i < 3; i++) {
			Registry.Registration registration = provider().register(instance);
			snapshots.await("a", "b");
			registration.close();
		}
		Registry.Registration last = provider().register(instance);
		Eventually.until("registered", last::isRegistered);
		snapshots.await("a", "b");
	}

	@Test
	void closedRegistry_rejectsCalls() {
		Registry registry = provider();
		Registry.Registration registration = registry.register(instance("a", 1, 0, USERS));
		registry.close();
		registry.close();
		assertThat(registry.state()).isEqualTo(RegistryState.CLOSED);
		assertThat(registration.isRegistered()).isFalse();
		registration.close();
		assertThatIllegalStateException().isThrownBy(() -> registry.register(instance("b", 2, 0, USERS)))
			.withMessageContaining("CLOSED");
		assertThatIllegalStateException().isThrownBy(() -> registry.subscribe(USERS, new Snapshots()));
	}

	protected static ServiceInstance instance(String id, int port, long startedAt, ServiceId... services) {
		return new ServiceInstance(id, "shop", new Endpoint("10.0.0.1", port), 50, startedAt, Set.of(services), "", "",
				Set.of(Protocol.NATIVE, Protocol.GRPC));
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
