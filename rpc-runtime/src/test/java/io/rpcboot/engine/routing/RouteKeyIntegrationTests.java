package io.rpcboot.engine.routing;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcRouteKey;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.loadbalance.ConsistentHashLoadBalancer;
import io.rpcboot.loadbalance.RoundRobinLoadBalancer;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Four instances, and calls with keys. */
@Timeout(60)
class RouteKeyIntegrationTests {

	private static final int KEYS = 200;

	/** Says who it is. */
	public interface Cache {

		int read(String how, @RpcRouteKey long id);

		CompletableFuture<Integer> readLater(@RpcRouteKey Long id);

		int any();

	}

	private record Instance(int number) implements Cache {

		@Override
		public int read(String how, long id) {
			return this.number;
		}

		@Override
		public CompletableFuture<Integer> readLater(Long id) {
			return CompletableFuture.completedFuture(this.number);
		}

		@Override
		public int any() {
			return this.number;
		}

	}

	private final List<RpcServer> servers = IntStream.range(0, 4)
		.mapToObj((number) -> RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Cache.class, new Instance(number))
			.start())
		.toList();

	private final RpcClient client = client();

	private final Cache cache = reference(this.client);

	@AfterEach
	void close() {
		this.client.close();
		this.servers.forEach(RpcServer::close);
	}

	private static RpcClient client(RpcClientInterceptor... interceptors) {
		RpcClientBuilder builder = RpcClient.builder()
			.loadBalancer(() -> new ConsistentHashLoadBalancer(new RoundRobinLoadBalancer()));
		List.of(interceptors).forEach(builder::interceptor);
		return builder.build();
	}

	private Cache reference(RpcClient client) {
		Cache made = client.reference(Cache.class,
				ReferenceOptions.defaults()
					.withTimeout(Duration.ofSeconds(20))
					.withEndpoints(this.servers.stream()
						.map((server) -> new Endpoint("127.0.0.1", server.port()))
						.toArray(Endpoint[]::new)));
		Eventually.until("all are ready", () -> ReferenceStates.ready(client) == 4);
		return made;
	}

	private static int withKey(long id, Callable<Integer> call) {
		try {
			return CallOptions.with("route-key", String.valueOf(id)).call(call);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	private Map<Long, Integer> owners() {
		Map<Long, Integer> result = new HashMap<>();
		for (long id = 0; id < KEYS; id++) {
			result.put(id, this.cache.read("plain", id));
		}
		return result;
	}

	@Test
	void calls_goToSameInstance_withSameRouteKey() {
		Map<Long, Integer> owners = owners();
		assertThat(owners.values()).contains(0, 1, 2, 3);
		assertThat(owners()).isEqualTo(owners);
		try (RpcClient other = client()) {
			Cache theirs = reference(other);
			owners.forEach((id, owner) -> {
				assertThat(this.cache.readLater(id).join()).isEqualTo(owner);
				assertThat(theirs.read("of another client", id)).isEqualTo(owner);
				assertThat(withKey(id, this.cache::any)).isEqualTo(owner);
				assertThat(withKey(id, () -> this.cache.read("both", -1))).isEqualTo(owner);
			});
		}
	}

	@Test
	void calls_goToAllInstances_withoutRouteKey() {
		assertThat(IntStream.range(0, 8).map((i) -> this.cache.any())).contains(0, 1, 2, 3);
		assertThat(IntStream.range(0, 8).map((i) -> this.cache.readLater(null).join())).contains(0, 1, 2, 3);
	}

	@Test
	void routeKey_isHonored_withInterceptor() {
		Map<Long, Integer> owners = owners();
		RpcClientInterceptor sevens = (ClientInvocation call) -> {
			if (call.method().name().equals("any")) {
				call.attachments().put("route-key", "7");
			}
			return call.proceed();
		};
		try (RpcClient other = client(sevens)) {
			Cache theirs = reference(other);
			for (int i = 0; i < 8; i++) {
				assertThat(theirs.any()).isEqualTo(owners.get(7L));
			}
			owners.forEach((id, owner) -> assertThat(theirs.read("plain", id)).isEqualTo(owner));
		}
	}

	@Test
	void onlyKeysOfClosedInstance_move() {
		Map<Long, Integer> before = owners();
		this.servers.get(2).close();
		Map<Long, Integer> after = owners();
		before.forEach((id, owner) -> {
			if (owner != 2) {
				assertThat(after).containsEntry(id, owner);
			}
		});
		assertThat(after.values()).contains(0, 1, 3).doesNotContain(2);
	}

}
