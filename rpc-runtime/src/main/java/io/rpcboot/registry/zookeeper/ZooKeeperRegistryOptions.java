package io.rpcboot.registry.zookeeper;

import java.time.Duration;

import io.rpcboot.internal.registry.zookeeper.node.ConnectString;
import io.rpcboot.internal.registry.zookeeper.node.RegistryPaths;
import io.rpcboot.transport.Options;

/**
 * Where the directory is and how patient its clients are. Immutable.
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
	 * The defaults:
	 * <ul>
	 * <li>root path {@code /rpc};
	 * <li>session timeout 15 s: long enough for a full garbage collection or the election
	 * of a new ZooKeeper leader, short enough that a killed process is gone before people
	 * look; calls do not depend on it, a dead endpoint is noticed by its connection;
	 * <li>connection timeout 5 s;
	 * <li>grace time 3 s: an instance whose session expired was measured to be back after
	 * 1.2 to 2.1 s;
	 * <li>retry backoff 500 ms, which grows to 15 s.
	 * </ul>
	 * @param connectString {@code host:port[,host:port…][/path]}; a port left out is
	 * 2181. The path is put before the root path and created when it is missing
	 * @return the options
	 */
	public static ZooKeeperRegistryOptions defaults(String connectString) {
		return new ZooKeeperRegistryOptions(connectString);
	}

	/**
	 * Change the node under which everything of ours lies.
	 * @param rootPath an absolute path
	 * @return a copy
	 */
	public ZooKeeperRegistryOptions withRootPath(String rootPath) {
		require(RegistryPaths.isRoot(rootPath), "registry.zookeeper.root-path", rootPath,
				"an absolute path such as /rpc, without a slash at its end");
		return copy((changed) -> changed.rootPath = rootPath);
	}

	/**
	 * Change how long ZooKeeper keeps the instances of a process that it hears nothing
	 * from.
	 * @param sessionTimeout 500 ms to 1 hour; the server may narrow it
	 * @return a copy
	 */
	public ZooKeeperRegistryOptions withSessionTimeout(Duration sessionTimeout) {
		requireWithin(sessionTimeout, "session-timeout", Duration.ofMillis(500), HOUR, "500ms to 1h");
		return copy((changed) -> changed.sessionTimeout = sessionTimeout);
	}

	/**
	 * Change how long a registry may stay unreached before that is logged, and a
	 * connection be lost before an operation on it fails.
	 * @param connectionTimeout 100 ms to 1 hour
	 * @return a copy
	 */
	public ZooKeeperRegistryOptions withConnectionTimeout(Duration connectionTimeout) {
		requireWithin(connectionTimeout, "connection-timeout", Duration.ofMillis(100), HOUR, "100ms to 1h");
		return copy((changed) -> changed.connectionTimeout = connectionTimeout);
	}

	/**
	 * Change how long an instance that has vanished stays in snapshots.
	 * @param graceTime 0 (not at all) to 1 hour
	 * @return a copy
	 */
	public ZooKeeperRegistryOptions withGraceTime(Duration graceTime) {
		requireWithin(graceTime, "grace-time", Duration.ZERO, HOUR, "0 to 1h");
		return copy((changed) -> changed.graceTime = graceTime);
	}

	/**
	 * Change the pause before a failed operation is tried again.
	 * @param retryBackoff 10 ms to 1 minute; doubled after each failure in a row up to 30
	 * times this value
	 * @return a copy
	 */
	public ZooKeeperRegistryOptions withRetryBackoff(Duration retryBackoff) {
		requireWithin(retryBackoff, "retry-backoff", Duration.ofMillis(10), Duration.ofMinutes(1), "10ms to 1m");
		return copy((changed) -> changed.retryBackoff = retryBackoff);
	}

	/**
	 * Change who this process is to ZooKeeper, and who may use the nodes that it makes.
	 * @param security the identity, the ACL and TLS
	 * @return a copy
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
	 * Where ZooKeeper is.
	 * @return {@code host:port[,host:port…][/path]}
	 */
	public String connectString() {
		return this.connectString;
	}

	/**
	 * The node under which everything of ours lies.
	 * @return an absolute path
	 */
	public String rootPath() {
		return this.rootPath;
	}

	/**
	 * How long ZooKeeper keeps the instances of a silent process.
	 * @return 500 ms to 1 hour
	 */
	public Duration sessionTimeout() {
		return this.sessionTimeout;
	}

	/**
	 * How long a registry may stay unreached before that is logged.
	 * @return 100 ms to 1 hour
	 */
	public Duration connectionTimeout() {
		return this.connectionTimeout;
	}

	/**
	 * How long an instance that has vanished stays in snapshots.
	 * @return 0 to 1 hour
	 */
	public Duration graceTime() {
		return this.graceTime;
	}

	/**
	 * The first pause before a failed operation is tried again.
	 * @return 10 ms to 1 minute
	 */
	public Duration retryBackoff() {
		return this.retryBackoff;
	}

	/**
	 * Who this process is to ZooKeeper.
	 * @return identity, ACL and TLS
	 */
	public ZooKeeperSecurity security() {
		return this.security;
	}

}
