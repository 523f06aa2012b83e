package io.rpcboot.spring.autoconfigure;

import java.time.Duration;

import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the registry.
 *
 * @param type Kind of registry; unless set, zookeeper if there is a place to connect to,
 * else in-memory.
 * @param zookeeper The registry in ZooKeeper.
 */
@ConfigurationProperties(prefix = "rpc.registry", ignoreUnknownFields = false)
record RpcRegistryProperties(@Nullable Type type, @DefaultValue Zookeeper zookeeper) {

	/** Kind of registry. */
	enum Type {

		/** Within this application context. */
		IN_MEMORY,

		/** ZooKeeper. */
		ZOOKEEPER,

		/** No registry: every reference has addresses. */
		NONE

	}

	/**
	 * The registry in ZooKeeper.
	 *
	 * @param connectString Where ZooKeeper is: host:port[,host:port...][/path].
	 * @param rootPath Node under which everything of ours lies.
	 * @param sessionTimeout How long ZooKeeper keeps the instances of a process that it
	 * hears nothing from.
	 * @param connectionTimeout How long an attempt to connect may take.
	 * @param graceTime How long an instance that has vanished is still called.
	 * @param retryBackoff Pause before a failed operation is tried again; it grows to 30
	 * times this value.
	 * @param embedded A server inside the application, for development.
	 */
	record Zookeeper(@DefaultValue("") String connectString, @DefaultValue("/rpc") String rootPath,
			@DefaultValue("15s") Duration sessionTimeout, @DefaultValue("5s") Duration connectionTimeout,
			@DefaultValue("3s") Duration graceTime, @DefaultValue("500ms") Duration retryBackoff,
			@DefaultValue Embedded embedded) {

		ZooKeeperRegistryOptions toOptions(String connectString) {
			return ZooKeeperRegistryOptions.defaults(connectString)
				.withRootPath(this.rootPath)
				.withSessionTimeout(this.sessionTimeout)
				.withConnectionTimeout(this.connectionTimeout)
				.withGraceTime(this.graceTime)
				.withRetryBackoff(this.retryBackoff);
		}

	}

	/**
	 * A server inside the application, for development.
	 *
	 * @param enabled Whether to start a ZooKeeper server on loopback and use it.
	 * @param port Port of the server, 0 for any free one.
	 */
	record Embedded(@DefaultValue("false") boolean enabled, @DefaultValue("2181") int port) {
	}

}
