package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.registry.HandDrivenLookups;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DnsRegistryTests {

	private static final ServiceId SERVICE = ServiceId.parse("demo.Greeter");

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private final HandDrivenLookups hands = new HandDrivenLookups();

	private final Map<String, List<InetAddress>> names = new HashMap<>();

	private final List<String> asked = new ArrayList<>();

	private final HostLookups lookups = new HostLookups(
			DnsOptions.defaults().withInterval(INTERVAL).withResolver(this::resolve), this.hands.threads());

	private final Snapshots told = new Snapshots();

	private List<InetAddress> resolve(String host) throws UnknownHostException {
		this.asked.add(host);
		List<InetAddress> found = this.names.get(host);
		if (found == null) {
			throw new UnknownHostException(host);
		}
		return found;
	}

	private void name(String host, String... addresses) {
		this.names.put(host, Arrays.stream(addresses).map(DnsRegistryTests::address).toList());
	}

	private static InetAddress address(String text) {
		try {
			return InetAddress.getByName(text);
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private DnsRegistry registry(String... addresses) {
		ReferenceOptions options = ReferenceOptions.defaults().withAddresses(List.of(addresses));
		return new DnsRegistry(this.lookups, options.endpoints(), options.dnsEndpoints());
	}

	private List<String> endpoints() {
		List<List<ServiceInstance>> all = this.told.all();
		return all.isEmpty() ? List.of()
				: all.get(all.size() - 1).stream().map((each) -> each.endpoint().toString()).toList();
	}

	@Test
	void addressesOfName_becomeInstances() {
		name("orders", "10.0.0.2", "10.0.0.1", "fd00::1");
		registry("dns:orders:9090").subscribe(SERVICE, this.told);
		assertThat(this.told.all()).as("nothing is known yet").isEmpty();
		this.hands.pass(Duration.ZERO);
		assertThat(endpoints()).containsExactly("10.0.0.1:9090", "10.0.0.2:9090", "[fd00:0:0:0:0:0:0:1]:9090");
		assertThat(this.told.all().get(0)).allSatisfy((instance) -> {
			assertThat(instance.application()).isEqualTo("orders");
			assertThat(instance.serverName()).isEqualTo("orders");
			assertThat(instance.id()).isEqualTo(instance.endpoint().toString());
			assertThat(instance.services()).containsExactly(SERVICE);
			assertThat(instance.weight()).isEqualTo(ServiceInstance.DEFAULT_WEIGHT);
		});
	}

	@Test
	void instances_followAnswersOfResolver() {
		name("orders", "10.0.0.1", "10.0.0.2");
		registry("dns:orders:9090").subscribe(SERVICE, this.told);
		this.hands.pass(Duration.ZERO);
		name("orders", "10.0.0.3", "10.0.0.2");
		this.hands.pass(INTERVAL);
		assertThat(endpoints()).containsExactly("10.0.0.2:9090", "10.0.0.3:9090");
		name("orders", "10.0.0.2", "10.0.0.3", "10.0.0.2");
		this.hands.pass(INTERVAL.multipliedBy(5));
		assertThat(this.told.all()).as("another order is no change").hasSize(2);
	}

	@Test
	void unknownName_keepsLastInstancesAndLeavesOtherNamesUnaffected() {
		name("orders", "10.0.0.1");
		name("stock", "10.0.1.1");
		DnsRegistry registry = registry("dns:orders:9090", "dns:stock:9091");
		registry.subscribe(SERVICE, this.told);
		this.hands.pass(Duration.ZERO);
		assertThat(endpoints()).containsExactly("10.0.0.1:9090", "10.0.1.1:9091");
		this.names.remove("orders");
		name("stock", "10.0.1.2");
		this.hands.pass(Duration.ofHours(1));
		assertThat(endpoints()).containsExactly("10.0.0.1:9090", "10.0.1.2:9091");
		assertThat(registry.adviceWithoutInstance(SERVICE))
			.startsWith("Host orders: UnknownHostException: orders, for 35");
		name("orders", "10.0.0.7");
		this.hands.pass(INTERVAL);
		assertThat(endpoints()).containsExactly("10.0.0.7:9090", "10.0.1.2:9091");
		assertThat(registry.adviceWithoutInstance(SERVICE)).isEmpty();
	}

	@Test
	void emptyAnswer_keepsLastInstances() {
		name("orders", "10.0.0.1");
		DnsRegistry registry = registry("dns:orders:9090");
		registry.subscribe(SERVICE, this.told);
		this.hands.pass(Duration.ZERO);
		name("orders");
		this.hands.pass(INTERVAL);
		assertThat(endpoints()).containsExactly("10.0.0.1:9090");
		assertThat(registry.adviceWithoutInstance(SERVICE)).contains("orders has no address");
	}

	@Test
	void unresolvedName_reportsNothingAndIsLookedUpAgain() {
		DnsRegistry registry = registry("dns:orders:9090");
		Subscription subscription = registry.subscribe(SERVICE, this.told);
		this.hands.pass(Duration.ZERO);
		assertThat(this.told.all()).isEmpty();
		name("orders", "10.0.0.1");
		subscription.lookAgain();
		this.hands.pass(Duration.ofSeconds(1));
		assertThat(endpoints()).containsExactly("10.0.0.1:9090");
	}

	@Test
	void fixedAddresses_areReportedAtOnce() {
		registry("10.9.9.9:1", "dns:orders:9090").subscribe(SERVICE, this.told);
		assertThat(endpoints()).containsExactly("10.9.9.9:1");
		name("orders", "10.0.0.1", "10.9.9.9");
		this.hands.pass(INTERVAL);
		assertThat(endpoints()).containsExactly("10.9.9.9:1", "10.0.0.1:9090", "10.9.9.9:9090");
	}

	@Test
	void duplicateAddresses_areOneInstance() {
		name("orders", "10.0.0.1");
		name("alias", "10.0.0.1");
		registry("10.0.0.1:9090", "dns:orders:9090", "dns:alias:9090").subscribe(SERVICE, this.told);
		this.hands.pass(Duration.ZERO);
		assertThat(endpoints()).containsExactly("10.0.0.1:9090");
	}

	@Test
	void hangingName_doesNotBlockOtherName() {
		name("orders", "10.0.0.1");
		DnsRegistry hanging = registry("dns:slow:9090");
		hanging.subscribe(SERVICE, new Snapshots());
		this.hands.passWithoutWorkers(Duration.ofSeconds(60));
		assertThat(this.hands.waiting()).as("the one that hangs").isEqualTo(1);
		registry("dns:orders:9090").subscribe(SERVICE, this.told);
		this.hands.passWithoutWorkers(Duration.ZERO);
		assertThat(this.hands.waiting()).as("a thread of its own").isEqualTo(2);
		assertThat(hanging.adviceWithoutInstance(SERVICE)).startsWith("Host slow: no answer, for ");
	}

	@Test
	void references_shareLookupsOfSameHost() {
		name("orders", "10.0.0.1");
		Subscription first = registry("dns:orders:9090").subscribe(SERVICE, new Snapshots());
		this.hands.pass(Duration.ZERO);
		Subscription second = registry("dns:orders:9091").subscribe(SERVICE, this.told);
		assertThat(endpoints()).as("known already").containsExactly("10.0.0.1:9091");
		this.hands.pass(INTERVAL);
		assertThat(this.asked).hasSize(2);
		first.close();
		this.hands.pass(INTERVAL);
		assertThat(this.asked).hasSize(3);
		second.close();
		this.hands.pass(INTERVAL.multipliedBy(3));
		assertThat(this.asked).as("nobody follows it").hasSize(3);
		assertThat(this.hands.timers()).isZero();
	}

	@Test
	void registry_describesItselfAndReportsClose() {
		DnsRegistry registry = registry("dns:orders:9090", "10.9.9.9:1");
		assertThat(registry.description()).isEqualTo("10.9.9.9:1, dns:orders:9090");
		assertThat(registry.state()).isEqualTo(RegistryState.CONNECTED);
		registry.close();
		assertThat(registry.state()).isEqualTo(RegistryState.CLOSED);
	}

	@Test
	void invalidInput_isRejected_withItsText() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ReferenceOptions.defaults().withAddresses(List.of("dns:orders")))
			.withMessage("address: 'dns:orders' (expected: dns:host:port)");
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> DnsOptions.defaults().withInterval(Duration.ofMillis(999)))
			.withMessage("dns.interval: PT0.999S (expected: 1s or more)");
		assertThat(ReferenceOptions.defaults()
			.withAddresses(List.of("dns:orders:1"))
			.withEndpoints(new Endpoint("10.0.0.1", 1))
			.dnsEndpoints()).isEmpty();
	}

}
