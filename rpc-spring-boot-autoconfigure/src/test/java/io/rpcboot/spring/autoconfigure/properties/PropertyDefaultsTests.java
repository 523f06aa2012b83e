package io.rpcboot.spring.autoconfigure.properties;

import java.nio.file.Path;

import io.rpcboot.metrics.jfr.JfrRpcMetrics;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.registry.snapshot.SnapshotOptions;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import io.rpcboot.spring.autoconfigure.metrics.RpcJfrProperties;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsProperties;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that unset properties mean the same with Spring as without. */
class PropertyDefaultsTests {

	private final Binder binder = new Binder(new MapConfigurationPropertySource());

	private final RpcClientProperties client = this.binder.bindOrCreate("rpc.client", RpcClientProperties.class);

	private final RpcServerProperties server = this.binder.bindOrCreate("rpc.server", RpcServerProperties.class);

	private final RpcRegistryProperties registry = this.binder.bindOrCreate("rpc.registry",
			RpcRegistryProperties.class);

	@Test
	void batchingDefaults_equalEngineDefaults() {
		assertThat(this.client.batching().toOptions()).isEqualTo(BatchingOptions.defaults());
		assertThat(this.server.batching().toOptions()).isEqualTo(BatchingOptions.defaults());
	}

	@Test
	void eventLoopDefaults_equalEngineDefaults() {
		assertThat(this.client.eventLoop().toOptions()).usingRecursiveComparison()
			.isEqualTo(EventLoopOptions.defaults());
		assertThat(this.server.eventLoop().toOptions()).usingRecursiveComparison()
			.isEqualTo(EventLoopOptions.defaults());
	}

	@Test
	void memoryDefaults_equalEngineDefaults() {
		assertThat(this.client.memory().toOptions()).usingRecursiveComparison().isEqualTo(MemoryOptions.defaults());
		assertThat(this.server.memory().toOptions()).usingRecursiveComparison().isEqualTo(MemoryOptions.defaults());
	}

	@Test
	void resilienceDefaults_equalEngineDefaults() {
		assertThat(this.client.routing().toOptions("")).usingRecursiveComparison().isEqualTo(RoutingOptions.defaults());
		assertThat(this.client.ejection().toOptions()).usingRecursiveComparison().isEqualTo(EjectionOptions.defaults());
		assertThat(this.client.retry().toOptions()).usingRecursiveComparison().isEqualTo(RetryOptions.defaults());
	}

	@Test
	void socketDefaults_equalEngineDefaults() {
		assertThat(this.client.socket().toOptions()).usingRecursiveComparison().isEqualTo(SocketOptions.defaults());
		assertThat(this.server.socket().toOptions()).usingRecursiveComparison().isEqualTo(SocketOptions.defaults());
	}

	@Test
	void zooKeeperDefaults_equalEngineDefaults() {
		assertThat(this.registry.zookeeper().toOptions("localhost", null)).usingRecursiveComparison()
			.isEqualTo(ZooKeeperRegistryOptions.defaults("localhost"));
	}

	@Test
	void snapshotDefaults_equalEngineDefaults() {
		SnapshotOptions defaults = SnapshotOptions.defaults(Path.of("file"));
		assertThat(this.registry.snapshot().maxAge()).isEqualTo(defaults.maxAge());
		assertThat(this.registry.snapshot().waitForRegistry()).isEqualTo(defaults.waitForRegistry());
	}

	@Test
	void metricsDefaults_equalEngineDefaults() {
		assertThat(this.binder.bindOrCreate("rpc.jfr", RpcJfrProperties.class).slowCall())
			.isEqualTo(JfrRpcMetrics.DEFAULT_SLOW_CALL);
		assertThat(this.binder.bindOrCreate("rpc.metrics", RpcMetricsProperties.class).maxMethods())
			.isEqualTo(MicrometerRpcMetrics.DEFAULT_MAX_METHODS);
	}

}
