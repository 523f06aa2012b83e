package io.rpcboot.engine.routing;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Flow;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds;
import io.rpcboot.engine.stream.FeedsImpl;
import io.rpcboot.evolution.CompiledVersion;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Native references with streams, by the ways in which they find and prove their servers.
 */
@Timeout(120)
class NativeReferenceSourcesIntegrationTests {

	private static RpcServerBuilder server() {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Feeds.class, new FeedsImpl());
	}

	private static void requireBoth(RpcClient client, RpcServer server, ReferenceOptions options) {
		Feeds remote = client.reference(Feeds.class, options);
		assertThat(remote.echo("a")).isEqualTo("a");
		assertThat(remote.flux(2).collectList().block()).hasSize(2);
		assertThat(client.references()).extracting(ReferenceInfo::protocol)
			.containsExactly(Protocol.NATIVE, Protocol.GRPC);
		assertThat(server.connections()).extracting(ConnectionInfo::protocol)
			.containsExactlyInAnyOrder(Protocol.NATIVE, Protocol.GRPC);
	}

	@Test
	void hostOfDns_hasBothConnections() {
		try (RpcServer server = server().start(); RpcClient client = RpcClient.builder().build()) {
			requireBoth(client, server,
					ReferenceOptions.defaults().withAddresses(List.of("dns:127.0.0.1:" + server.port())));
		}
	}

	@Test
	void instanceOfZooKeeper_hasBothConnections() throws Exception {
		try (EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
				ZooKeeperRegistry registry = new ZooKeeperRegistry(
						ZooKeeperRegistryOptions.defaults(zooKeeper.connectString()));
				RpcServer server = server().applicationName("shop").registry(registry).start();
				RpcClient client = RpcClient.builder().registry(registry).build()) {
			requireBoth(client, server, ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(20)));
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void bothConnections_haveTlsOfReference(boolean isMutual) {
		Authority authority = new Authority();
		RpcClientBuilder builder = RpcClient.builder().tls(isMutual ? authority.here() : authority.trust());
		try (RpcServer server = server()
			.tls(authority.here().withClientAuth(isMutual ? ClientAuth.NEED : ClientAuth.NONE))
			.start(); RpcClient client = builder.build()) {
			requireBoth(client, server, ReferenceStates.at(server));
			assertThat(server.connections()).extracting(ConnectionInfo::encrypted).containsOnly(true);
			assertThat(server.connections()).extracting(ConnectionInfo::identity)
				.allMatch((identity) -> identity.isEmpty() != isMutual);
		}
	}

	private static RpcServer versionServer(CompiledVersion version, Protocol... protocols) {
		RpcServerBuilder builder = RpcServer.builder().port(0).bindAddress("127.0.0.1");
		if (protocols.length > 0) {
			builder.protocols(protocols);
		}
		int[] port = new int[1];
		Object implementation = Proxy.newProxyInstance(version.service().getClassLoader(),
				new Class<?>[] { version.service() }, (self, method, arguments) -> (method.getReturnType() == int.class)
						? port[0] : JdkFlowAdapter.publisherToFlowPublisher(Flux.just(port[0])));
		RpcServer server = builder.service(version.descriptor(), () -> implementation).start();
		port[0] = server.port();
		return server;
	}

	/** As of a discovery system without metadata, or of one that tells protocols. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void instanceWithoutHttp2_isOut_forStreamsAlone(boolean tellsProtocols) throws Exception {
		CompiledVersion older = CompiledVersion
			.of("default int exchange() { return 0; } static Object value() { return 1; }");
		CompiledVersion newer = CompiledVersion
			.of("java.util.concurrent.Flow.Publisher<Integer> exchange(int count); static Object value() { return 1; }");
		try (RpcServer single = versionServer(older, Protocol.NATIVE);
				RpcServer both = versionServer(newer);
				InMemoryRegistry registry = new InMemoryRegistry();
				RpcClient client = RpcClient.builder().registry(registry).build()) {
			registry.register(instance("single", single, newer.descriptor(),
					tellsProtocols ? Set.of(Protocol.NATIVE) : Set.of()));
			registry.register(instance("both", both, newer.descriptor(),
					tellsProtocols ? Set.of(Protocol.NATIVE, Protocol.GRPC) : Set.of()));
			Object remote = client.reference(newer.service());
			Set<Object> called = new HashSet<>();
			Eventually.until("single calls go to both", () -> {
				called.add(untouched(newer, remote));
				return called.size() == 2;
			});
			for (int i = 0; i < 20; i++) {
				Flow.Publisher<?> stream = (Flow.Publisher<?>) newer.service()
					.getMethod("exchange", int.class)
					.invoke(remote, 1);
				assertThat(JdkFlowAdapter.flowPublisherToFlux(stream).blockLast()).isEqualTo(both.port());
			}
		}
	}

	private static Object untouched(CompiledVersion version, Object remote) {
		try {
			return version.service().getMethod(CompiledVersion.UNTOUCHED, int.class).invoke(remote, 1);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ServiceInstance instance(String id, RpcServer server, ServiceDescriptor service,
			Set<Protocol> protocols) {
		return new ServiceInstance(id, "shop", new Endpoint("127.0.0.1", server.port()), 100, 0, Set.of(service.id()),
				"", "", protocols);
	}

}
