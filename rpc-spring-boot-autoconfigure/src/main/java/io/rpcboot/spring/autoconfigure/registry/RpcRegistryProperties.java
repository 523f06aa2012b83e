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
 * @param type Kind of registry; unless set, zookeeper if there is a place to connect to,
 * else in-memory.
 * @param zookeeper The registry in ZooKeeper.
 * @param snapshot The last known instances in a file, for a start without ZooKeeper.
 * @param discoveryClient Instances from a DiscoveryClient of Spring Cloud.
 */
@ConfigurationProperties(prefix = "rpc.registry", ignoreUnknownFields = false)
public record RpcRegistryProperties(@Nullable Type type, @DefaultValue Zookeeper zookeeper,
		@DefaultValue Snapshot snapshot, @DefaultValue Discovery discoveryClient) {

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
	 * @param username User of ZooKeeper's scheme digest.
	 * @param password Password of that user.
	 * @param acl Who may use the nodes that are created: open, or creator and
	 * scheme:id:permissions with commas between. Creator if a user is named or SASL is
	 * enabled, else open.
	 * @param sasl Login by a JAAS configuration.
	 * @param ssl Encryption of the connection.
	 * @param embedded A server inside the application, for development.
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

		/** Without the password. */
		@Override
		public String toString() {
			return "Zookeeper[connectString=%s, rootPath=%s, username=%s]".formatted(this.connectString, this.rootPath,
					this.username);
		}

	}

	/**
	 * Instances from a DiscoveryClient of Spring Cloud.
	 *
	 * @param applications Which application of the discovery system offers a service, by
	 * the simple name of its interface, or by the package for all interfaces in it.
	 * @param interval Pause between two look-ups of an application, 1s or more; when an
	 * instance cannot be reached the next one comes within a second.
	 * @param portMetadata Key in the metadata of an instance under which it says its RPC
	 * port; empty for the port under which the discovery system has the instance.
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
	 * A server inside the application, for development.
	 *
	 * @param enabled Whether to start a ZooKeeper server on loopback and use it.
	 * @param port Port of the server, 0 for any free one.
	 */
	record Embedded(@DefaultValue("false") boolean enabled, @DefaultValue("2181") int port) {
	}

	/**
	 * Login by a JAAS configuration.
	 *
	 * @param enabled Whether to log in; unless set, if the JAAS configuration of the JVM
	 * has the section.
	 * @param loginContext Section of the JAAS configuration.
	 * @param serverPrincipal Kerberos principal of the servers; empty for zookeeper/ and
	 * the host.
	 */
	record Sasl(@Nullable Boolean enabled, @DefaultValue("Client") String loginContext,
			@DefaultValue("") String serverPrincipal) {
	}

	/**
	 * Encryption of the connection.
	 *
	 * @param enabled Whether to use TLS; unless set, if a bundle is named.
	 * @param bundle SSL bundle with the trusted certificates, and the own key if the
	 * servers ask for it.
	 */
	record Ssl(@Nullable Boolean enabled, @DefaultValue("") String bundle) {

		boolean isOn() {
			return (this.enabled != null) ? this.enabled : !this.bundle.isEmpty();
		}

	}

	/**
	 * The last known instances in a file.
	 *
	 * @param directory Where the file is written, named after the application and its
	 * registry; empty for no file.
	 * @param maxAge How old a list may be to be used, since the registry has confirmed
	 * it.
	 * @param waitForRegistry How long the registry is waited for before the file is used.
	 */
	public record Snapshot(@DefaultValue("") String directory, @DefaultValue("1d") Duration maxAge,
			@DefaultValue("500ms") Duration waitForRegistry) {
	}

}
