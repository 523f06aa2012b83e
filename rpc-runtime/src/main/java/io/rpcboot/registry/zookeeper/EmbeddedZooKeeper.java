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
 * A ZooKeeper server in this JVM, on 127.0.0.1 only: for development, samples and tests,
 * not for production. It is the real server, alone and without authentication. Needs two
 * more jars, {@code io.dropwizard.metrics:metrics-core} and
 * {@code org.xerial.snappy:snappy-java}, which
 * {@code io.rpcboot:rpc-spring-boot-starter-zookeeper-embedded} brings. Thread-safe.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {

	private static final String PORT = "registry.zookeeper.embedded.port";

	private static final int TICK_MILLIS = 500;

	private static final int LONGEST_SESSION_MILLIS = 60_000;

	private static final long CLOSE_MILLIS = 5_000;

	/** What no version of Spring Boot manages, so that it is named with a version. */
	private static final Map<String, String> NEEDED = Map.of("com.codahale.metrics.Reservoir",
			"io.dropwizard.metrics:metrics-core:4.2.37", "org.xerial.snappy.SnappyInputStream",
			"org.xerial.snappy:snappy-java:1.1.10.8");

	private final Path directory;

	private final boolean deleteDirectory;

	private final ZooKeeperServer server;

	private final NIOServerCnxnFactory factory;

	private final AtomicBoolean closed = new AtomicBoolean();

	/**
	 * Start a server on a free port; its data is deleted when it is closed.
	 * @throws RpcConfigurationException if a jar is missing
	 */
	public EmbeddedZooKeeper() {
		this(0, null);
	}

	/**
	 * Start a server. Returns when it answers.
	 * @param port port on 127.0.0.1, 0 for a free one
	 * @param directory where the data is kept after {@link #close()}, for the next server
	 * on it; null for a temporary one that is deleted
	 * @throws RpcConfigurationException if a jar is missing, the port is taken or the
	 * directory cannot be used
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
	 * The port that it listens on.
	 * @return 1 to 65535
	 */
	public int port() {
		return this.factory.getLocalPort();
	}

	/**
	 * What a client connects to.
	 * @return {@code 127.0.0.1:port}
	 */
	public String connectString() {
		return "127.0.0.1:" + port();
	}

	/**
	 * End a client's session as if it had expired, to see how the client copes.
	 * @param sessionId the session, for example the owner of an ephemeral node
	 */
	public void expireSession(long sessionId) {
		this.server.closeSession(sessionId);
	}

	/** Stop the server; waits for its threads for at most 5 s. Twice does nothing. */
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
					"%d cannot be listened on (expected: a port that is free on 127.0.0.1, or 0)".formatted(port),
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
			// not a daemon, and not waited for by the server
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
		// loading the class replaces the handler of the whole JVM
		Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
		try {
			return new NIOServerCnxnFactory();
		}
		finally {
			Thread.setDefaultUncaughtExceptionHandler(before);
		}
	}

	/**
	 * A class that is missing later would leave the JVM hanging on the server's threads.
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
