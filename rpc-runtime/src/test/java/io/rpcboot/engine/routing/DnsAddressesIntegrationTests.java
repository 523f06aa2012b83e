package io.rpcboot.engine.routing;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.registry.dns.HostResolver;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Servers on 127.0.0.1 and 127.0.0.2 behind one name, whose answers change. */
@Timeout(60)
class DnsAddressesIntegrationTests {

	private static final String ONE = "127.0.0.1";

	private static final String TWO = "127.0.0.2";

	private static final Duration NEVER = Duration.ofHours(1);

	private final List<AutoCloseable> opened = new ArrayList<>();

	private final AtomicInteger asked = new AtomicInteger();

	private volatile List<String> addresses = List.of();

	@AfterEach
	void stop() throws Exception {
		for (AutoCloseable one : this.opened) {
			one.close();
		}
	}

	private List<InetAddress> resolve(String host) throws UnknownHostException {
		this.asked.incrementAndGet();
		if (this.addresses.isEmpty()) {
			throw new UnknownHostException(host);
		}
		List<InetAddress> found = new ArrayList<>();
		for (String each : this.addresses) {
			found.add(InetAddress.getByName(each));
		}
		return found;
	}

	private RpcServer serve(String address, int port) {
		RpcServer server = RpcServer.builder()
			.bindAddress(address)
			.port(port)
			.service(Calls.class, new CallsImpl())
			.start();
		this.opened.add(server);
		return server;
	}

	private RpcClient client(Duration interval, HostResolver resolver) {
		RpcClient client = RpcClient.builder()
			.timeout(Duration.ofSeconds(10))
			.dns(DnsOptions.defaults().withInterval(interval).withResolver(resolver))
			.build();
		this.opened.add(0, client);
		return client;
	}

	private static Calls reference(RpcClient client, String... addresses) {
		return client.reference(Calls.class, ReferenceOptions.defaults().withAddresses(List.of(addresses)));
	}

	private static void awaitReady(RpcClient client, String... endpoints) {
		Eventually.until("ready: " + List.of(endpoints),
				() -> ReferenceStates.instances(client)
					.stream()
					.filter((each) -> each.state() == ReferenceInfo.State.READY)
					.map((each) -> each.endpoint().host())
					.toList()
					.equals(List.of(endpoints)));
	}

	@Test
	void dnsAddresses_useJvmResolver_byDefault() {
		RpcServer one = serve(ONE, 0);
		RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(10)).build();
		this.opened.add(0, client);
		Calls calls = reference(client, "dns:localhost:" + one.port());
		assertThat(calls.greet("a")).contains("a");
		assertThat(ReferenceStates.instances(client)).anySatisfy((instance) -> {
			assertThat(instance.application()).isEqualTo("localhost");
			assertThat(instance.state()).isEqualTo(ReferenceInfo.State.READY);
		});
	}

	@Test
	void calls_succeed_whileDnsInstancesChange() throws Exception {
		RpcServer one = serve(ONE, 0);
		this.addresses = List.of(ONE);
		RpcClient client = client(Duration.ofSeconds(1), this::resolve);
		Calls calls = reference(client, "dns:calls.test:" + one.port());
		try (Load load = new Load(4, (number) -> assertThat(calls.greet("n" + number)).contains("n" + number))) {
			load.awaitMore(100);
			RpcServer two = serve(TWO, one.port());
			this.addresses = List.of(TWO, ONE);
			awaitReady(client, ONE, TWO);
			load.awaitMore(100);
			this.addresses = List.of(TWO);
			awaitReady(client, TWO);
			one.shutdown(Duration.ofSeconds(5));
			load.awaitMore(100);
			assertThat(two.connections()).isNotEmpty();
			load.stop();
			assertThat(load.failures()).isEmpty();
		}
		assertThat(client.references()).singleElement().satisfies((reference) -> {
			assertThat(reference.source()).isEqualTo("dns:calls.test:" + one.port());
			assertThat(reference.instances()).singleElement()
				.satisfies((instance) -> assertThat(instance.application()).isEqualTo("calls.test"));
		});
	}

	@Test
	void name_isResolvedAgain_whenInstanceIsUnreachable() throws Exception {
		RpcServer one = serve(ONE, 0);
		this.addresses = List.of(ONE);
		RpcClient client = client(NEVER, this::resolve);
		Calls calls = reference(client, "dns:calls.test:" + one.port());
		assertThat(calls.greet("a")).contains("a");
		serve(TWO, one.port());
		this.addresses = List.of(TWO);
		one.close();
		awaitReady(client, TWO);
		assertThat(calls.greet("b")).contains("b");
	}

	@Test
	void nameWithoutAddress_isExplainedAndResolvedAgain_whenCalled() throws Exception {
		int port = Ports.free();
		RpcClient client = client(NEVER, this::resolve);
		Calls calls = reference(client, "dns:calls.test:" + port);
		RpcException failure = catchThrowableOfType(RpcException.class, () -> calls.greet("a"));
		assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
		assertThat(failure).hasMessageContaining("no instance of it is known to dns:calls.test:" + port)
			.hasMessageContaining("Host calls.test: UnknownHostException: calls.test, for ");
		serve(ONE, port);
		this.addresses = List.of(ONE);
		Eventually.until("found", () -> {
			try {
				return calls.greet("b").contains("b");
			}
			catch (RpcException ex) {
				return false;
			}
		});
	}

	@Test
	void hangingLookup_blocksNeitherOtherNamesNorClose() throws Exception {
		RpcServer one = serve(ONE, 0);
		CountDownLatch hangs = new CountDownLatch(1);
		RpcClient client = client(NEVER, (host) -> {
			if (host.equals("slow.test")) {
				hangs.countDown();
				awaitForEver();
			}
			return List.of(InetAddress.getByName(ONE));
		});
		Calls slow = reference(client, "dns:slow.test:" + one.port(), ONE + ":" + one.port());
		hangs.await();
		assertThat(slow.greet("a")).contains("a");
		Calls other = reference(client, "dns:calls.test:" + one.port());
		assertThat(other.greet("b")).contains("b");
		client.close();
		Eventually.until("no thread of it is left",
				() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.noneMatch((thread) -> thread.getName().startsWith("rpc-registry-dns")));
	}

	private static void awaitForEver() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("interrupted", ex);
		}
	}

}
