package io.rpcboot.registry.snapshot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;
import io.rpcboot.registry.snapshot.Snapshot.Listed;

import static org.assertj.core.api.Assertions.assertThat;

/** Lists that nobody confirms: they grow old in the file. */
class SnapshotAgeTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private static final ServiceId ORDERS = new ServiceId("com.acme.OrderService", "", "");

	@TempDir
	private Path directory;

	private final HandDrivenThread thread = new HandDrivenThread();

	private final StubRegistry stub = new StubRegistry();

	private SnapshotRegistry registry;

	@BeforeEach
	void begin() {
		this.registry = new SnapshotRegistry(this.stub,
				SnapshotOptions.defaults(this.directory.resolve("shop.snapshot")), this.thread, this.thread.executor());
	}

	private void says(ServiceId service) {
		this.stub.says(service, new ServiceInstance("a", "shop", new Endpoint("10.0.0.1", 1), 100, 7, Set.of(service)));
	}

	private Map<ServiceId, Listed> onDisk() throws Exception {
		return Snapshot.decode(Files.readAllBytes(this.directory.resolve("shop.snapshot"))).lists();
	}

	@Test
	void keptList_isNotConfirmedInSnapshot() throws Exception {
		Subscription subscription = this.registry.subscribe(USERS, new Snapshots());
		says(USERS);
		this.thread.pass(Duration.ofMinutes(1));
		Instant at = onDisk().get(USERS).at();
		assertThat(subscription.isCurrent()).isTrue();
		this.stub.current = false;
		assertThat(subscription.isCurrent()).isFalse();
		this.thread.pass(Duration.ofHours(23));
		assertThat(onDisk().get(USERS).at()).isEqualTo(at);
		this.stub.current = true;
		this.thread.pass(Duration.ofHours(2));
		assertThat(onDisk().get(USERS).at()).as("it names it again").isAfter(at.plus(Duration.ofHours(23)));
		this.stub.current = false;
		this.thread.pass(Duration.ofHours(48));
		this.registry.subscribe(ORDERS, new Snapshots());
		says(ORDERS);
		this.thread.pass(Duration.ofMinutes(1));
		assertThat(onDisk()).containsOnlyKeys(ORDERS);
	}

	@Test
	void unfollowedList_isNotConfirmedInSnapshot() throws Exception {
		Subscription subscription = this.registry.subscribe(USERS, new Snapshots());
		says(USERS);
		this.thread.pass(Duration.ofMinutes(1));
		Instant at = onDisk().get(USERS).at();
		subscription.close();
		this.thread.pass(Duration.ofHours(23));
		assertThat(onDisk().get(USERS).at()).isEqualTo(at);
	}

}
