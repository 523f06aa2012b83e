package io.rpcboot.registry.zookeeper;

import java.time.Duration;

import io.rpcboot.internal.registry.zookeeper.node.ConnectString;
import io.rpcboot.internal.registry.zookeeper.node.RegistryPaths;
import io.rpcboot.transport.Options;

/**
 * Options of the registry in ZooKeeper. Immutable. <pre>{@code
 * ZooKeeperRegistryOptions.defaults("zk1:2181,zk2:2181/prod")
 *     .withRootPath("/shop")
 *     .withSessionTimeout(Duration.ofSeconds(30))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ZooKeeperRegistryOptions extends Options {

	private static final Duration HOUR = Duration.ofHours(1);

	private final String connectString;

	private String rootPath = "/rpc";

	private Duration sessionTimeout = Duration.ofSeconds(15);

	private Duration connectionTimeout = Duration.ofSeconds(5);

	private Duration graceTime = Duration.ofSeconds(3);

	private Duration retryBackoff = Duration.ofMillis(500);

	private ZooKeeperSecurity security = ZooKeeperSecurity.defaults();

	private ZooKeeperRegistryOptions(String connectString) {
		ConnectString.parse(connectString);
		this.connectString = connectString;
	}

	/**
	 * Returns the defaults:
	 * <ul>
	 * <li>root path {@code /rpc};
	 * <li>session timeout 15 s: longer than a full garbage collection or the election of
	 * a ZooKeeper leader; calls do not depend on it, because connections detect a dead
	 * endpoint;
	 * <li>connection timeout 5 s;
	 * <li>grace time 3 s: an instance with an expired session returned within 1.2 to 2.1
	 * s in measurements;
	 * <li>retry backoff 500 ms, which grows to 15 s.
	 * </ul>
	 * @param connectString {@code host:port[,host:port…][/path]}; the default port is
	 * 2181. The path precedes the root path and is created if it is missing
	 * @return the options
	 * @throws InvalidOptionException if it is malformed
	 */
	public static ZooKeeperRegistryOptions defaults(String connectString) {
		return new ZooKeeperRegistryOptions(connectString);
	}

	/**
	 * Returns a copy with another root of all nodes.
	 * @param rootPath an absolute path
	 * @return a copy
	 * @throws InvalidOptionException if it is malformed
	 */
	public ZooKeeperRegistryOptions withRootPath(String rootPath) {
		require(RegistryPaths.isRoot(rootPath), "registry.zookeeper.root-path", rootPath,
				"an absolute path such as /rpc, without a slash at its end");
		return copy((changed) -> changed.rootPath = rootPath);
	}

	/**
	 * Returns a copy with another session timeout: the time for which ZooKeeper keeps the
	 * instances of a silent process.
	 * @param sessionTimeout 500 ms to 1 hour; the server may narrow it
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public ZooKeeperRegistryOptions withSessionTimeout(Duration sessionTimeout) {
		requireWithin(sessionTimeout, "session-timeout", Duration.ofMillis(500), HOUR, "500ms to 1h");
		return copy((changed) -> changed.sessionTimeout = sessionTimeout);
	}

	/**
	 * Returns a copy with another connection timeout: the time until a log line reports
	 * an unreachable registry, and until an operation on a lost connection fails.
	 * @param connectionTimeout 100 ms to 1 hour
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public ZooKeeperRegistryOptions withConnectionTimeout(Duration connectionTimeout) {
		requireWithin(connectionTimeout, "connection-timeout", Duration.ofMillis(100), HOUR, "100ms to 1h");
		return copy((changed) -> changed.connectionTimeout = connectionTimeout);
	}

	/**
	 * Returns a copy with another grace time: the time for which a vanished instance
	 * stays in lists.
	 * @param graceTime 0 (removed at once) to 1 hour
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public ZooKeeperRegistryOptions withGraceTime(Duration graceTime) {
		requireWithin(graceTime, "grace-time", Duration.ZERO, HOUR, "0 to 1h");
		return copy((changed) -> changed.graceTime = graceTime);
	}

	/**
	 * Returns a copy with another pause before a failed operation is repeated.
	 * @param retryBackoff 10 ms to 1 minute; doubles with each failure in a row, up to 30
	 * times this value
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public ZooKeeperRegistryOptions withRetryBackoff(Duration retryBackoff) {
		requireWithin(retryBackoff, "retry-backoff", Duration.ofMillis(10), Duration.ofMinutes(1), "10ms to 1m");
		return copy((changed) -> changed.retryBackoff = retryBackoff);
	}

	/**
	 * Returns a copy with another identity, ACL and TLS.
	 * @param security the security options
	 * @return a copy
	 * @throws InvalidOptionException if they contradict each other or do not work in this
	 * JVM
	 */
	public ZooKeeperRegistryOptions withSecurity(ZooKeeperSecurity security) {
		security.requireUsable();
		if (security.tls() != null) {
			ZooKeeperTls.requireNetty();
		}
		return copy((changed) -> changed.security = security);
	}

	private static void requireWithin(Duration value, String name, Duration least, Duration most, String expected) {
		require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0, "registry.zookeeper." + name, value,
				expected);
	}

	/**
	 * Returns the connect string.
	 * @return {@code host:port[,host:port…][/path]}
	 */
	public String connectString() {
		return this.connectString;
	}

	/**
	 * Returns the root of all nodes.
	 * @return an absolute path
	 */
	public String rootPath() {
		return this.rootPath;
	}

	/**
	 * Returns the session timeout.
	 * @return 500 ms to 1 hour
	 */
	public Duration sessionTimeout() {
		return this.sessionTimeout;
	}

	/**
	 * Returns the connection timeout.
	 * @return 100 ms to 1 hour
	 */
	public Duration connectionTimeout() {
		return this.connectionTimeout;
	}

	/**
	 * Returns the grace time of vanished instances.
	 * @return 0 to 1 hour
	 */
	public Duration graceTime() {
		return this.graceTime;
	}

	/**
	 * Returns the first pause before a failed operation is repeated.
	 * @return 10 ms to 1 minute
	 */
	public Duration retryBackoff() {
		return this.retryBackoff;
	}

	/**
	 * Returns the security options.
	 * @return identity, ACL and TLS
	 */
	public ZooKeeperSecurity security() {
		return this.security;
	}

}
