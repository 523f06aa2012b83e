package io.rpcboot.registry.snapshot;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.rpcboot.Endpoint;
import io.rpcboot.LoggedLines;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;
import io.rpcboot.registry.snapshot.Snapshot.Listed;
import io.rpcboot.transport.Options.InvalidOptionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotRegistryTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private static final ServiceId ORDERS = new ServiceId("com.acme.OrderService", "", "");

	private static final Duration SOON = Duration.ofSeconds(6);

	@RegisterExtension
	final LoggedLines log = new LoggedLines("rpc.registry");

	@TempDir
	Path directory;

	private final HandDrivenThread thread = new HandDrivenThread();

	private StubRegistry stub;

	private Path file;

	@BeforeEach
	void begin() {
		this.file = this.directory.resolve("shop.snapshot");
	}

	private SnapshotOptions options() {
		return SnapshotOptions.defaults(this.file);
	}

	/** As after a start of the process. */
	private SnapshotRegistry start() {
		return start(options());
	}

	private SnapshotRegistry start(SnapshotOptions options) {
		this.stub = new StubRegistry();
		return new SnapshotRegistry(this.stub, options, this.thread, this.thread.executor());
	}

	private static ServiceInstance instance(String id, ServiceId... services) {
		return new ServiceInstance(id, "shop", new Endpoint("10.0.0.1", 1 + id.charAt(0)), 50, 7, Set.of(services),
				"eu-1", "canary");
	}

	/** A process that has followed this and has ended. */
	private void before(ServiceId service, ServiceInstance... instances) {
		SnapshotRegistry registry = start();
		registry.subscribe(service, (list) -> {
		});
		this.stub.says(service, instances);
		registry.close();
	}

	private Snapshot content() throws Exception {
		return Snapshot.decode(Files.readAllBytes(this.file));
	}

	private List<String> idsOnDisk(ServiceId service) throws Exception {
		Listed list = content().lists().get(service);
		return (list != null) ? list.instances().stream().map(ServiceInstance::id).toList() : List.of();
	}

	@Test
	void snapshot_replacesRegistry_whenItIsUnreachableAtStart() {
		before(USERS, instance("a", USERS), instance("b", USERS));
		SnapshotRegistry registry = start();
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		registry.subscribe(USERS, new Snapshots());
		this.thread.pass(Duration.ofMillis(499));
		assertThat(snapshots.all()).as("it may still answer").isEmpty();
		this.thread.pass(Duration.ofMillis(1));
		assertThat(snapshots.all()).containsExactly(List.of(instance("a", USERS), instance("b", USERS)));
		assertThat(registry.servicesOfSnapshot()).as("of two references").isOne();
		assertThat(registry.problem())
			.isEqualTo("the instances of 1 services are those of the snapshot of 2026-01-01T12:00:00Z");
		this.stub.problem = "refuses us";
		assertThat(registry.problem()).startsWith("refuses us; the instances of 1");
		assertThat(this.log.messages()).singleElement()
			.asString()
			.contains("Registry stub at zk1 has not answered; using the instances of its snapshot " + this.file);
	}

	@Test
	void registry_replacesSnapshot_onceItAnswers() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		this.stub.says(USERS, instance("c", USERS));
		assertThat(snapshots.ids()).containsExactly("c");
		assertThat(registry.servicesOfSnapshot()).isZero();
		assertThat(registry.problem()).isEmpty();
		this.stub.says(USERS);
		assertThat(snapshots.ids()).as("its word, as without a snapshot").isEmpty();
		this.thread.pass(Duration.ofDays(2));
		assertThat(snapshots.all()).hasSize(3);
	}

	@Test
	void snapshot_isNotUsed_whenRegistryAnswersInTime() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.stub.says(USERS);
		this.thread.pass(SOON);
		assertThat(snapshots.all()).containsExactly(List.of());
		assertThat(this.log.messages()).isEmpty();
	}

	@Test
	void emptyRegistryAnswer_keepsSnapshot_afterOutage() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		this.stub.says(USERS);
		this.stub.says(USERS);
		assertThat(snapshots.all()).hasSize(1);
		assertThat(registry.servicesOfSnapshot()).isOne();
		assertThat(this.log.messages()).filteredOn((line) -> line.startsWith("Registry lists no instance of"))
			.hasSize(1);
		this.stub.says(USERS, instance("b", USERS));
		assertThat(snapshots.ids()).containsExactly("b");
	}

	@Test
	void laterReference_usesSnapshotAtOnce_whileRegistryIsUnreachable() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		this.thread.pass(Duration.ofHours(1));
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.thread.pass(Duration.ZERO);
		assertThat(snapshots.ids()).containsExactly("a");
	}

	@Test
	void laterReference_waitsForRegistry_whileItIsConnected() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		this.thread.pass(Duration.ofHours(1));
		this.stub.state = RegistryState.CONNECTED;
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.thread.pass(Duration.ofMillis(499));
		assertThat(snapshots.all()).isEmpty();
		this.stub.says(USERS, instance("b", USERS));
		this.thread.pass(SOON);
		assertThat(snapshots.all()).hasSize(1);
		assertThat(snapshots.ids()).containsExactly("b");
	}

	@Test
	void changes_areWrittenTogether() throws Exception {
		SnapshotRegistry registry = start();
		registry.subscribe(USERS, new Snapshots());
		registry.subscribe(ORDERS, new Snapshots());
		this.stub.says(USERS, instance("a", USERS));
		this.thread.pass(Duration.ofSeconds(4));
		assertThat(this.file).doesNotExist();
		this.stub.says(USERS, instance("a", USERS), instance("b", USERS, ORDERS));
		this.stub.says(ORDERS, instance("b", USERS, ORDERS));
		this.thread.pass(Duration.ofSeconds(1));
		assertThat(idsOnDisk(USERS)).containsExactly("a", "b");
		assertThat(idsOnDisk(ORDERS)).containsExactly("b");
		Files.setLastModifiedTime(this.file, FileTime.fromMillis(0));
		this.thread.pass(Duration.ofMinutes(50));
		assertThat(Files.getLastModifiedTime(this.file).toMillis()).as("nothing has changed").isZero();
	}

	@Test
	void unchangedList_isConfirmed_whileRegistryIsConnected() throws Exception {
		SnapshotRegistry registry = start();
		registry.subscribe(USERS, new Snapshots());
		this.stub.says(USERS, instance("a", USERS));
		this.thread.pass(Duration.ofDays(7));
		Instant confirmed = content().lists().get(USERS).at();
		assertThat(confirmed).isAfter(this.thread.instant().minus(Duration.ofMinutes(61)));
		this.stub.state = RegistryState.DISCONNECTED;
		this.thread.pass(Duration.ofHours(20));
		assertThat(content().lists().get(USERS).at()).isEqualTo(confirmed);
		Snapshots snapshots = new Snapshots();
		start().subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		assertThat(snapshots.ids()).containsExactly("a");
	}

	@Test
	void emptyService_keepsLastList_untilTooOld() throws Exception {
		SnapshotRegistry registry = start();
		registry.subscribe(USERS, new Snapshots());
		registry.subscribe(ORDERS, new Snapshots());
		this.stub.says(USERS, instance("a", USERS));
		this.stub.says(ORDERS, instance("b", ORDERS));
		this.thread.pass(Duration.ofMinutes(1));
		this.stub.says(USERS);
		this.thread.pass(Duration.ofHours(23));
		assertThat(idsOnDisk(USERS)).containsExactly("a");
		this.thread.pass(Duration.ofHours(3));
		assertThat(content().lists()).containsOnlyKeys(ORDERS);
	}

	@Test
	void listsOfOtherProcess_areKept_untilTooOld() throws Exception {
		before(ORDERS, instance("b", ORDERS));
		before(USERS, instance("a", USERS));
		assertThat(content().lists()).containsOnlyKeys(USERS, ORDERS);
		this.thread.pass(Duration.ofHours(25));
		before(USERS, instance("a", USERS));
		assertThat(content().lists()).as("it never grows").containsOnlyKeys(USERS);
	}

	@Test
	void oldSnapshot_isIgnored_withLogLine() {
		before(USERS, instance("a", USERS));
		this.thread.pass(Duration.ofHours(25));
		Snapshots snapshots = new Snapshots();
		start().subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		assertThat(snapshots.all()).isEmpty();
		assertIgnored("it is of 2026-01-01T12:00:00Z (expected: at most PT24H old, registry.snapshot.max-age)");
	}

	@Test
	void snapshot_isIgnored_whenItBecomesTooOldAtRuntime() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		this.thread.pass(Duration.ofHours(25));
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		assertThat(snapshots.all()).isEmpty();
	}

	@Test
	void snapshotOfOtherRegistry_isIgnored_withLogLine() {
		before(USERS, instance("a", USERS));
		Snapshots snapshots = new Snapshots();
		start(options().withSource("zookeeper of production")).subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		assertThat(snapshots.all()).isEmpty();
		assertIgnored("it is from stub at zk1 (expected: from zookeeper of production)");
	}

	@Test
	void brokenSnapshot_isIgnoredWithLogLineAndReplaced() throws Exception {
		Files.write(this.file, "rpc-snapshot 1\nsource=stub at zk1\n".getBytes(StandardCharsets.UTF_8));
		SnapshotRegistry registry = start();
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		assertThat(snapshots.all()).isEmpty();
		assertIgnored("checksum: wrong or missing");
		this.stub.says(USERS, instance("a", USERS));
		this.thread.pass(SOON);
		assertThat(idsOnDisk(USERS)).containsExactly("a");
		assertThat(this.log.messages()).hasSize(1);
	}

	private void assertIgnored(String why) {
		assertThat(this.log.messages()).singleElement()
			.asString()
			.startsWith("Snapshot " + this.file + " of the registry is ignored: " + why)
			.endsWith("(registry.snapshot.directory)");
	}

	@Test
	void unwritableLocation_isLoggedOnce() throws Exception {
		this.file = Files.createFile(this.directory.resolve("file")).resolve("shop.snapshot");
		SnapshotRegistry registry = start();
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.stub.says(USERS, instance("a", USERS));
		this.thread.pass(SOON);
		this.stub.says(USERS, instance("b", USERS));
		this.thread.pass(Duration.ofDays(1));
		assertThat(snapshots.ids()).containsExactly("b");
		assertThat(this.log.messages()).allMatch((line) -> line.contains("registry.snapshot.directory"))
			.filteredOn((line) -> line.contains("cannot be written: "))
			.hasSize(1);
	}

	@Test
	void closedSubscription_receivesNothing() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		Snapshots snapshots = new Snapshots();
		Subscription subscription = registry.subscribe(USERS, snapshots);
		assertThat(this.stub.subscriptions()).isOne();
		subscription.close();
		subscription.close();
		assertThat(this.stub.subscriptions()).isZero();
		this.thread.pass(SOON);
		assertThat(snapshots.all()).isEmpty();
		assertThat(registry.servicesOfSnapshot()).isZero();
	}

	@Test
	void failingListener_leavesOthersUnaffected() {
		before(USERS, instance("a", USERS));
		SnapshotRegistry registry = start();
		registry.subscribe(USERS, (list) -> {
			throw new IllegalStateException("listener");
		});
		Snapshots snapshots = new Snapshots();
		registry.subscribe(USERS, snapshots);
		this.thread.pass(SOON);
		assertThat(snapshots.ids()).containsExactly("a");
	}

	@Test
	void close_writesPendingChangesAndClosesRegistry() throws Exception {
		SnapshotRegistry registry = start();
		registry.subscribe(USERS, new Snapshots());
		this.stub.says(USERS, instance("a", USERS));
		registry.close();
		assertThat(idsOnDisk(USERS)).containsExactly("a");
		assertThat(registry.state()).isEqualTo(RegistryState.CLOSED);
		registry.close();
	}

	@Test
	void snapshotRegistry_delegatesToRegistry() {
		SnapshotRegistry registry = start();
		assertThat(registry.state()).isEqualTo(RegistryState.CONNECTING);
		assertThat(registry.stateSince()).isEqualTo(Instant.EPOCH);
		assertThat(registry.outages()).isEqualTo(7);
		assertThat(registry.takesRegistrations()).isFalse();
		assertThat(registry.isLocal()).isTrue();
		assertThat(registry.description()).isEqualTo("stub at zk1");
		assertThat(registry.adviceWithoutInstance(USERS)).isEqualTo("advice for " + USERS);
		assertThat(registry.problem()).isEmpty();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> registry.register(instance("a", USERS)));
	}

	@Test
	void lookAgain_isForwarded_untilSubscriptionCloses() {
		Subscription subscription = start().subscribe(USERS, new Snapshots());
		subscription.lookAgain();
		subscription.lookAgain();
		assertThat(this.stub.looks).isEqualTo(2);
		subscription.close();
		subscription.lookAgain();
		assertThat(this.stub.looks).as("nobody follows it any more").isEqualTo(2);
	}

	@Test
	void options_areRejected_outsideBounds() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> options().withMaxAge(Duration.ofSeconds(59)))
			.withMessageContaining("registry.snapshot.max-age: PT59S (expected: 1m or more)");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> options().withWaitForRegistry(Duration.ofSeconds(61)))
			.withMessageContaining("registry.snapshot.wait-for-registry: PT1M1S (expected: 0 to 1m)");
		assertThat(options().withMaxAge(Duration.ofMinutes(1)).maxAge()).isEqualTo(Duration.ofMinutes(1));
		assertThat(options().withWaitForRegistry(Duration.ZERO).waitForRegistry()).isZero();
	}

}
