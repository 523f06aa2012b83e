package io.rpcboot.registry.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.Options.InvalidOptionException;

/**
 * ZooKeeper server in this JVM, on 127.0.0.1 only, for development, samples and tests. It
 * is the real server, standalone and without authentication. Needs the jars {@code
 * io.dropwizard.metrics:metrics-core} and {@code org.xerial.snappy:snappy-java}, which
 * are dependencies of {@code io.rpcboot:rpc-spring-boot-starter-zookeeper-embedded}.
 * Thread-safe. <pre>{@code
 * try (EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
 *         Registry registry = new ZooKeeperRegistry(
 *                 ZooKeeperRegistryOptions.defaults(zooKeeper.connectString()))) {
 *     ...
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class EmbeddedZooKeeper implements AutoCloseable {

	private static final String PORT = "registry.zookeeper.embedded.port";

	private static final int TICK_MILLIS = 500;

	private static final int LONGEST_SESSION_MILLIS = 60_000;

	private static final long CLOSE_MILLIS = 5_000;

	/**
	 * Coordinates by class. They have a version, because Spring Boot does not manage
	 * them.
	 */
	private static final Map<String, String> NEEDED = Map.of("com.codahale.metrics.Reservoir",
			"io.dropwizard.metrics:metrics-core:4.2.37", "org.xerial.snappy.SnappyInputStream",
			"org.xerial.snappy:snappy-java:1.1.10.8");

	private final Path directory;

	private final boolean deleteDirectory;

	private final ZooKeeperServer server;

	private final NIOServerCnxnFactory factory;

	private final AtomicBoolean closed = new AtomicBoolean();

	/**
	 * Starts a server on a free port; {@link #close()} deletes its data.
	 * @throws RpcConfigurationException if a jar is missing
	 */
	public EmbeddedZooKeeper() {
		this(0, null);
	}

	/**
	 * Starts a server. Returns when it accepts connections.
	 * @param port port on 127.0.0.1, 0 for a free one
	 * @param directory directory of the data, which the next server may use; null for a
	 * temporary directory that {@link #close()} deletes
	 * @throws RpcConfigurationException if a jar is missing, the port is in use or the
	 * directory is not writable
	 */
	public EmbeddedZooKeeper(int port, @Nullable Path directory) {
		requireClasses();
		System.setProperty("zookeeper.admin.enableServer", "false");
		try {
			this.deleteDirectory = directory == null;
			this.directory = (directory != null) ? directory : Files.createTempDirectory("rpc-zookeeper");
			this.server = new ZooKeeperServer(this.directory.toFile(), this.directory.toFile(), TICK_MILLIS);
			this.server.setMinSessionTimeout(TICK_MILLIS);
			this.server.setMaxSessionTimeout(LONGEST_SESSION_MILLIS);
			this.factory = connectionFactory();
		}
		catch (IOException ex) {
			throw new RpcConfigurationException(
					"embedded ZooKeeper directory: %s (expected: a directory to write to)"
						.formatted((directory != null) ? directory : System.getProperty("java.io.tmpdir")),
					"Choose another directory.", ex);
		}
		start(port);
	}

	/**
	 * Returns the port of the server.
	 * @return 1 to 65535
	 */
	public int port() {
		return this.factory.getLocalPort();
	}

	/**
	 * Returns the connect string for clients.
	 * @return {@code 127.0.0.1:port}
	 */
	public String connectString() {
		return "127.0.0.1:" + port();
	}

	/**
	 * Expires the session of a client, for tests.
	 * @param sessionId the session, for example the owner of an ephemeral node
	 */
	public void expireSession(long sessionId) {
		this.server.closeSession(sessionId);
	}

	/**
	 * Stops the server. Waits at most 5 s for its threads. Repeated calls have no effect.
	 */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		stop();
	}

	private void start(int port) {
		try {
			this.factory.configure(new InetSocketAddress(InetAddress.getByAddress(new byte[] { 127, 0, 0, 1 }), port),
					0);
			this.factory.startup(this.server);
		}
		catch (IOException ex) {
			stop();
			throw InvalidOptionException.unusable(PORT,
					"%d cannot be bound (expected: a free port on 127.0.0.1, or 0)".formatted(port),
					"Set %s to another port, or to 0 for any free one.".formatted(PORT), ex);
		}
		catch (InterruptedException ex) {
			stop();
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted while the embedded ZooKeeper started", ex);
		}
	}

	private void stop() {
		this.factory.shutdown();
		this.server.shutdown(true);
		try {
			// no daemon thread, and the server does not join it
			if (this.server.getSessionTracker() instanceof Thread tracker) {
				tracker.join(CLOSE_MILLIS);
			}
			if (this.server.getZKDatabase() != null) {
				this.server.getZKDatabase().close();
			}
			if (this.deleteDirectory) {
				delete(this.directory);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("embedded ZooKeeper directory: " + this.directory + " cannot be closed", ex);
		}
	}

	private static NIOServerCnxnFactory connectionFactory() {
		// the initializer of the class replaces the handler of the JVM
		Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
		try {
			return new NIOServerCnxnFactory();
		}
		finally {
			Thread.setDefaultUncaughtExceptionHandler(before);
		}
	}

	/**
	 * Checks the jars first, because an error of a missing class would leave threads of
	 * the server that keep the JVM alive.
	 */
	private static void requireClasses() {
		List<String> missing = NEEDED.entrySet()
			.stream()
			.filter((needed) -> !isPresent(needed.getKey()))
			.map(Map.Entry::getValue)
			.sorted()
			.toList();
		if (!missing.isEmpty()) {
			throw new RpcConfigurationException(
					"embedded ZooKeeper: not on the class path: %s (expected: all that its server needs)"
						.formatted(String.join(", ", missing)),
					"Depend on io.rpcboot:rpc-spring-boot-starter-zookeeper-embedded, which brings everything, or add %s."
						.formatted(String.join(" and ", missing)));
		}
	}

	private static boolean isPresent(String className) {
		try {
			Class.forName(className, false, EmbeddedZooKeeper.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	private static void delete(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
	}

}
