package io.rpcboot.internal.server.lifecycle;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import io.rpcboot.Endpoint;
import io.rpcboot.LoggedLines;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.server.lifecycle.AdvertisedAddress.Candidate;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AdvertisedAddressTests {

	@RegisterExtension
	private final LoggedLines lines = new LoggedLines("rpc.server");

	private final List<Candidate> candidates = new ArrayList<>();

	private final ServerOptions options = new ServerOptions();

	AdvertisedAddressTests() {
		this.options.registry = new RemoteRegistry(true);
		has("docker0", "172.17.0.1");
		has("eth0", "fe80::1", "fd00::5", "203.0.113.9", "10.1.2.3");
		has("eth1", "192.168.7.7", "2001:db8::7");
	}

	private void has(String networkInterface, String... addresses) {
		for (String address : addresses) {
			try {
				this.candidates.add(new Candidate(networkInterface, InetAddress.getByName(address)));
			}
			catch (UnknownHostException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private AdvertisedAddress choose(String... preferred) {
		this.options.instance = InstanceOptions.defaults().withPreferredNetworks(Arrays.asList(preferred));
		return AdvertisedAddress.choose(this.options, () -> this.candidates);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"10.0.0.0/8 | 10.1.2.3 | first site-local address of eth0 in preferred network 10.0.0.0/8",
			"10.1.2.99/24 | 10.1.2.3 | first site-local address of eth0 in preferred network 10.1.2.99/24",
			"192.168.0.0/16,10.0.0.0/8 | 192.168.7.7 | first site-local address of eth1 in preferred network 192.168.0.0/16",
			"10.200.0.0/16,eth1 | 192.168.7.7 | first site-local address of eth1 in preferred network eth1",
			"eth0 | 10.1.2.3 | first site-local address of eth0 in preferred network eth0",
			"203.0.113.9/32 | 203.0.113.9 | first address of eth0 in preferred network 203.0.113.9/32",
			"0.0.0.0/0 | 172.17.0.1 | first site-local address of docker0 in preferred network 0.0.0.0/0",
			"2001:db8::/32 | 2001:db8:0:0:0:0:0:7 | first address of eth1 in preferred network 2001:db8::/32",
			"fd00::/7 | fd00:0:0:0:0:0:0:5 | first address of eth0 in preferred network fd00::/7" })
	void preferredNetwork_determinesAddress(String preferred, String host, String reason) {
		assertThat(choose(preferred.split(","))).isEqualTo(new AdvertisedAddress(host, reason));
		assertThat(this.lines.messages()).isEmpty();
	}

	@Test
	void address_omitsScopeId() throws UnknownHostException {
		byte[] address = InetAddress.getByName("fd00::2").getAddress();
		this.candidates.clear();
		this.candidates.add(new Candidate("eth0", Inet6Address.getByAddress(null, address, 2)));
		assertThat(choose().host()).isEqualTo("fd00:0:0:0:0:0:0:2");
		assertThat(choose("fd00::/8").host()).isEqualTo("fd00:0:0:0:0:0:0:2");
	}

	@Test
	void missingPreferredNetwork_isLoggedAsWarning() {
		assertThat(choose("10.200.0.0/16", "wlan0").host()).isEqualTo("172.17.0.1");
		assertThat(this.lines.messages()).singleElement()
			.asString()
			.contains(
					"preferred-networks: no address of this host is in 10.200.0.0/16, wlan0, it has 172.17.0.1 (docker0)")
			.contains("10.1.2.3 (eth0)");
	}

	@Test
	void address_isFirstSiteLocal_withoutPreference() {
		AdvertisedAddress chosen = choose();
		assertThat(chosen)
			.isEqualTo(new AdvertisedAddress("172.17.0.1", "first site-local address of this host, of docker0"));
		chosen.logChoice(new Endpoint(chosen.host(), 9090));
		assertThat(this.lines.messages()).singleElement()
			.asString()
			.contains("Advertising 172.17.0.1:9090: first site-local address of this host, of docker0; "
					+ "set advertised-address for another");
	}

	@Test
	void configuredOrLocalAddress_isNotLogged() {
		this.options.advertisedAddress = "10.9.9.9";
		AdvertisedAddress said = choose("10.0.0.0/8");
		assertThat(said.host()).isEqualTo("10.9.9.9");
		said.logChoice(new Endpoint("10.9.9.9", 1));
		this.options.advertisedAddress = "";
		this.options.registry = new InMemoryRegistry();
		AdvertisedAddress local = choose("10.0.0.0/8");
		assertThat(local.host()).isEqualTo("127.0.0.1");
		local.logChoice(new Endpoint("127.0.0.1", 1));
		assertThat(this.lines.messages()).isEmpty();
	}

	@Test
	void bindAddress_precedesPreferredNetworks() {
		this.options.bindAddress = "10.8.8.8";
		assertThat(choose("10.0.0.0/8")).isEqualTo(new AdvertisedAddress("10.8.8.8", "the bind address"));
	}

	@Test
	void hostWithoutAddress_isRejected_unlessRegistryNeedsNone() {
		this.candidates.clear();
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(this::choose)
			.withMessageStartingWith("advertised-address: empty, and no network interface");
		this.options.registry = new RemoteRegistry(false);
		assertThat(choose().host()).isEqualTo("127.0.0.1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8", "300.0.0.0/8",
			"fd00::/129", "fd00::", "users.example/8", "/8", "10.0.0.0/8/8", "eth 0" })
	void invalidNetwork_isRejected_withItsText(String network) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> InstanceOptions.defaults().withPreferredNetworks(List.of("eth0", network)))
			.withMessage("preferred-networks: '" + network
					+ "' (expected: ranges such as 10.0.0.0/8 or fd00::/8, or names of network interfaces such as eth0)");
	}

	@Test
	void advertisedPort_isRegisteredInsteadOfBoundPort() {
		try (InMemoryRegistry registry = new InMemoryRegistry();
				RpcServer server = RpcServer.builder()
					.port(0)
					.registry(registry)
					.instance(InstanceOptions.defaults().withAdvertisedPort(31_090))
					.service(Runnable.class, () -> {
					})
					.start()) {
			assertThat(server.advertisedEndpoint()).isEqualTo(new Endpoint("127.0.0.1", 31_090));
			assertThat(server.port()).isNotEqualTo(31_090).isPositive();
			List<ServiceInstance> told = new ArrayList<>();
			registry.subscribe(ServiceId.parse("java.lang.Runnable"), told::addAll);
			Eventually.until("it is registered", () -> !told.isEmpty());
			assertThat(told).extracting(ServiceInstance::endpoint).containsExactly(server.advertisedEndpoint());
		}
	}

	@Test
	void invalidPort_isRejected_withItsNumber() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> InstanceOptions.defaults().withAdvertisedPort(65_536))
			.withMessage("advertised-port: 65536 (expected: 0 (the port it listens on) to 65535)");
	}

	private record RemoteRegistry(boolean takesRegistrations) implements Registry {

		@Override
		public Registration register(ServiceInstance instance) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			throw new UnsupportedOperationException();
		}

		@Override
		public RegistryState state() {
			return RegistryState.CONNECTED;
		}

		@Override
		public boolean isLocal() {
			return false;
		}

		@Override
		public String description() {
			return "elsewhere";
		}

		@Override
		public void close() {
		}

	}

}
