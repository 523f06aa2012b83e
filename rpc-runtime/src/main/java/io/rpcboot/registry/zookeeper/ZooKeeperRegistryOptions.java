package io.rpcboot.registry.zookeeper;

import java.time.Duration;

import io.rpcboot.transport.Options;

/**
 * Where the directory is and how patient its clients are.
 *
 * @param connectString {@code host:port[,host:port…][/path]}; a port left out is 2181.
 * The path is put before {@code rootPath} and created when it is missing
 * @param rootPath the node under which everything of ours lies, absolute
 * @param sessionTimeout how long ZooKeeper keeps the instances of a process that it hears
 * nothing from, 500 ms to 1 hour; the server may narrow it
 * @param connectionTimeout how long a registry may stay unreached before that is logged,
 * and a connection be lost before an operation on it fails, 100 ms to 1 hour
 * @param graceTime how long an instance that has vanished stays in snapshots, 0 (not at
 * all) to 1 hour
 * @param retryBackoff pause before a failed operation is tried again, 10 ms to 1 minute;
 * doubled after each failure in a row up to 30 times this value
 */
public record ZooKeeperRegistryOptions(String connectString, String rootPath, Duration sessionTimeout,
		Duration connectionTimeout, Duration graceTime, Duration retryBackoff) {

	private static final Duration HOUR = Duration.ofHours(1);

	public ZooKeeperRegistryOptions {
		ConnectString.parse(connectString);
		Options.require(RegistryPaths.isRoot(rootPath), "registry.zookeeper.root-path", rootPath,
				"an absolute path such as /rpc, without a slash at its end");
		require(sessionTimeout, "session-timeout", Duration.ofMillis(500), HOUR, "500ms to 1h");
		require(connectionTimeout, "connection-timeout", Duration.ofMillis(100), HOUR, "100ms to 1h");
		require(graceTime, "grace-time", Duration.ZERO, HOUR, "0 to 1h");
		require(retryBackoff, "retry-backoff", Duration.ofMillis(10), Duration.ofMinutes(1), "10ms to 1m");
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
	 * @param connectString where ZooKeeper is
	 * @return the options
	 */
	public static ZooKeeperRegistryOptions defaults(String connectString) {
		return new ZooKeeperRegistryOptions(connectString, "/rpc", Duration.ofSeconds(15), Duration.ofSeconds(5),
				Duration.ofSeconds(3), Duration.ofMillis(500));
	}

	private static void require(Duration value, String name, Duration least, Duration most, String expected) {
		Options.require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0, "registry.zookeeper." + name, value,
				expected);
	}

}
