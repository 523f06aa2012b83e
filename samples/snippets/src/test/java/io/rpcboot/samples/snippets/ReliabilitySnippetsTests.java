package io.rpcboot.samples.snippets;

import java.nio.file.Path;
import java.util.Currency;

import io.rpcboot.client.Broadcast;
import io.rpcboot.client.BroadcastReport;
import io.rpcboot.context.CallOptions;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.snapshot.SnapshotOptions;
import io.rpcboot.registry.snapshot.SnapshotRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistry;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.samples.snippets.Shop.Articles;
import io.rpcboot.samples.snippets.Shop.Orders;
import io.rpcboot.samples.snippets.Shop.Prices;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the snippets of docs/reliability.md. */
@RpcTest
@Import(MoneyConfiguration.class)
class ReliabilitySnippetsTests {

	private static final Logger log = LoggerFactory.getLogger(ReliabilitySnippetsTests.class);

	@RpcReference
	private Shop shop;

	@RpcReference
	private Orders orders;

	@RpcReference
	private Articles articles;

	@RpcReference
	private Prices prices;

	@RpcReference
	private Cache cache;

	@Autowired
	private DefaultShop service;

	@Test
	void idempotentCall_isRetried_asServerAdvises() {
		assertThat(this.shop.leader()).isEqualTo("elected");
		assertThat(this.service.questions).hasValue(2);
	}

	@Test
	void hedgedCall_isAnswered() {
		assertThat(this.articles.price("tea").amount()).isEqualTo("3");
	}

	@Test
	void broadcast_reachesInstances() {
		BroadcastReport<Integer> report = Broadcast.to(this.cache).call((cache) -> cache.evict("a7"));
		report.failures().forEach((each) -> log.warn("{}: {}", each.endpoint(), each.failure().getMessage()));
		assertThat(report.values()).containsExactly(2);
	}

	@Test
	void taggedCall_goesToUntaggedInstance_withoutTagged() throws Exception {
		long id = 7;
		CallOptions.with("route-tag", "canary").call(() -> this.orders.find(id));
		assertThat(this.service.found).hasValue(id);
	}

	@Test
	void callWithKey_isAnswered() throws Exception {
		assertThat(this.prices.price("tea", Currency.getInstance("EUR")).amount()).isEqualTo("6");
		CallOptions.with("route-key", "a7").call(() -> this.shop.anything());
		assertThat(this.service.key).hasValue("a7");
	}

	/** It would write to a folder of the machine, and is compiled only. */
	static Registry withSnapshot(ZooKeeperRegistryOptions options) {
		Registry registry = new SnapshotRegistry(new ZooKeeperRegistry(options),
				SnapshotOptions.defaults(Path.of("/var/cache/rpc/shop.snapshot"))
					.withSource("zookeeper of production"));
		return registry;
	}

}
