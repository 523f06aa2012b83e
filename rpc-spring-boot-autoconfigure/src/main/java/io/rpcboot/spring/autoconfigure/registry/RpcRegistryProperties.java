package io.rpcboot.spring.autoconfigure.registry;

import java.time.Duration;
import java.util.Map;

import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;
import io.rpcboot.registry.zookeeper.ZooKeeperSecurity;
import io.rpcboot.registry.zookeeper.ZooKeeperTls;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.discovery.DiscoveryOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the registry.
 *
 * @param type Type of the registry. Unset: zookeeper if there is an address of it, else
 * in-memory.
 * @param zookeeper Registry in ZooKeeper.
 * @param snapshot Last known instances in a file, for a start without ZooKeeper.
 * @param discoveryClient Instances from a DiscoveryClient of Spring Cloud.
 * @param useInTests Whether a test uses the registry of the application's properties, and
 * not one of its own in memory.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "rpc.registry", ignoreUnknownFields = false)
public record RpcRegistryProperties(@Nullable Type type, @DefaultValue Zookeeper zookeeper,
		@DefaultValue Snapshot snapshot, @DefaultValue Discovery discoveryClient,
		@DefaultValue("false") boolean useInTests) {

	/** Kind of registry. */
	enum Type {

		/** Within this application context. */
		IN_MEMORY,

		/** ZooKeeper. */
		ZOOKEEPER,

		/** A discovery system, by the DiscoveryClient of Spring Cloud. */
		DISCOVERY_CLIENT,

		/** No registry: every reference has addresses. */
		NONE

	}

	/**
	 * Registry in ZooKeeper.
	 *
	 * @param connectString Servers: host:port[,host:port...][/path].
	 * @param rootPath Root node of all nodes of this project.
	 * @param sessionTimeout Time without a heartbeat after which ZooKeeper removes the
	 * instances of a process.
	 * @param connectionTimeout Time allowed for an attempt to connect.
	 * @param graceTime Time for which an instance that has vanished is still called.
	 * @param retryBackoff Pause before a failed operation is retried; it grows to 30
	 * times this value.
	 * @param username User for ZooKeeper's digest scheme.
	 * @param password Password of that user.
	 * @param acl Access to created nodes: open, or creator and scheme:id:permissions,
	 * separated by commas. Unset: creator if a user is set or SASL is enabled, else open.
	 * @param sasl Login by a JAAS configuration.
	 * @param ssl TLS of the connection.
	 * @param embedded Server inside the application, for development.
	 */
	public record Zookeeper(@DefaultValue("") String connectString, @DefaultValue("/rpc") String rootPath,
			@DefaultValue("15s") Duration sessionTimeout, @DefaultValue("5s") Duration connectionTimeout,
			@DefaultValue("3s") Duration graceTime, @DefaultValue("500ms") Duration retryBackoff,
			@DefaultValue("") String username, @DefaultValue("") String password, @DefaultValue("") String acl,
			@DefaultValue Sasl sasl, @DefaultValue Ssl ssl, @DefaultValue Embedded embedded) {

		public ZooKeeperRegistryOptions toOptions(String connectString, @Nullable ZooKeeperTls tls) {
			return ZooKeeperRegistryOptions.defaults(connectString)
				.withRootPath(this.rootPath)
				.withSessionTimeout(this.sessionTimeout)
				.withConnectionTimeout(this.connectionTimeout)
				.withGraceTime(this.graceTime)
				.withRetryBackoff(this.retryBackoff)
				.withSecurity(ZooKeeperSecurity.defaults()
					.withDigest(this.username, this.password)
					.withSasl(this.sasl.enabled())
					.withLoginContext(this.sasl.loginContext())
					.withServerPrincipal(this.sasl.serverPrincipal())
					.withAcl(this.acl)
					.withTls(tls));
		}

		/** Returns the settings without the password. */
		@Override
		public String toString() {
			return "Zookeeper[connectString=%s, rootPath=%s, username=%s]".formatted(this.connectString, this.rootPath,
					this.username);
		}

	}

	/**
	 * Instances from a DiscoveryClient of Spring Cloud.
	 *
	 * @param applications Application of the discovery system by service: by the simple
	 * name of the interface, or by the package for all interfaces in it.
	 * @param interval Pause between two look-ups of an application, 1s or more; within a
	 * second if an instance cannot be reached.
	 * @param portMetadata Metadata key of the RPC port of an instance; empty for the
	 * instance's own port in the discovery system.
	 */
	record Discovery(@DefaultValue Map<String, String> applications, @DefaultValue("10s") Duration interval,
			@DefaultValue("rpc-port") String portMetadata) {

		DiscoveryOptions toOptions() {
			if (this.interval.compareTo(Duration.ofSeconds(1)) < 0) {
				throw new InvalidPropertyException("rpc.registry.discovery-client.interval", this.interval.toString(),
						"1s or more");
			}
			return new DiscoveryOptions(this.applications, this.interval, this.portMetadata);
		}

	}

	/**
	 * Server inside the application, for development.
	 *
	 * @param enabled Whether to start a ZooKeeper server on loopback and use it.
	 * @param port Port of the server, 0 for any free one.
	 */
	record Embedded(@DefaultValue("false") boolean enabled, @DefaultValue("2181") int port) {
	}

	/**
	 * Login by a JAAS configuration.
	 *
	 * @param enabled Whether to log in. Unset: if the JAAS configuration of the JVM has
	 * the section.
	 * @param loginContext Section of the JAAS configuration.
	 * @param serverPrincipal Kerberos principal of the servers; empty for zookeeper/ and
	 * the host.
	 */
	record Sasl(@Nullable Boolean enabled, @DefaultValue("Client") String loginContext,
			@DefaultValue("") String serverPrincipal) {
	}

	/**
	 * TLS of the connection.
	 *
	 * @param enabled Whether to use TLS. Unset: if a bundle is set.
	 * @param bundle SSL bundle with the trusted certificates, and with a key if the
	 * servers require client certificates.
	 */
	record Ssl(@Nullable Boolean enabled, @DefaultValue("") String bundle) {

		boolean isOn() {
			return (this.enabled != null) ? this.enabled : !this.bundle.isEmpty();
		}

	}

	/**
	 * Last known instances in a file.
	 *
	 * @param directory Directory of the file, whose name contains the application and its
	 * registry; empty for no file.
	 * @param maxAge Longest time since the registry confirmed a list for the list to be
	 * used.
	 * @param waitForRegistry Time to wait for the registry before the file is used.
	 */
	public record Snapshot(@DefaultValue("") String directory, @DefaultValue("1d") Duration maxAge,
			@DefaultValue("500ms") Duration waitForRegistry) {
	}

}
