package io.rpcboot.samples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.samples.quickstart.provider.ProviderApplication;
import io.rpcboot.samples.quickstart.provider.Sickness;
import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Controls what the consumer depends on: starts and stops ZooKeeper and providers.
 * Thread-safe.
 */
final class Backstage implements AutoCloseable {

	private final List<String> args;

	private final String connectString;

	private final int zooKeeperPort;

	private final int webPort;

	private EmbeddedZooKeeper zooKeeper;

	private ConfigurableApplicationContext provider;

	private @Nullable Process second;

	private @Nullable Process thaw;

	private boolean closed;

	/**
	 * Starts ZooKeeper and a provider.
	 * @param args arguments of the provider
	 */
	Backstage(List<String> args) {
		this.zooKeeper = new EmbeddedZooKeeper();
		this.zooKeeperPort = this.zooKeeper.port();
		this.connectString = this.zooKeeper.connectString();
		this.args = with(args, connectArgument());
		try {
			this.provider = ProviderApplication.start(false, this.args.toArray(String[]::new));
		}
		catch (RuntimeException ex) {
			this.zooKeeper.close();
			throw ex;
		}
		this.webPort = this.provider.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/** Returns the argument with the connect string of this ZooKeeper. */
	String connectArgument() {
		return "--rpc.registry.zookeeper.connect-string=" + this.connectString;
	}

	/** Returns the server of the first provider. */
	synchronized RpcServer server() {
		return this.provider.getBean(RpcServer.class);
	}

	/** Returns the switch that makes the first provider fail. */
	synchronized Sickness sickness() {
		return this.provider.getBean(Sickness.class);
	}

	/** Returns the port of the provider's Actuator. */
	int webPort() {
		return this.webPort;
	}

	synchronized void stopZooKeeper() {
		this.zooKeeper.close();
	}

	synchronized void startZooKeeper() {
		if (!this.closed) {
			this.zooKeeper = new EmbeddedZooKeeper(this.zooKeeperPort, null);
		}
	}

	synchronized void stopProvider() {
		this.provider.close();
	}

	synchronized void startProvider() {
		if (!this.closed) {
			this.provider = ProviderApplication.start(false,
					with(this.args, "--server.port=" + this.webPort).toArray(String[]::new));
		}
	}

	/**
	 * Starts a second provider in another process.
	 * @param command starts it
	 */
	synchronized void startSecond(List<String> command) {
		this.second = start(command);
	}

	/**
	 * Stops the process of the second provider for a time (SIGSTOP). It continues by
	 * itself, even if this process was killed meanwhile.
	 * @param time duration of the stop
	 */
	synchronized void freezeSecond(Duration time) {
		if (this.second != null && !this.closed) {
			this.thaw = start(List.of("sh", "-c", "kill -STOP $0; sleep $1; kill -CONT $0",
					String.valueOf(this.second.pid()), String.valueOf(time.toSeconds())));
		}
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.second != null) {
			// a stopped process ends only by force
			this.second.destroyForcibly();
		}
		if (this.thaw != null) {
			this.thaw.destroy();
		}
		this.provider.close();
		this.zooKeeper.close();
	}

	private static Process start(List<String> command) {
		try {
			return new ProcessBuilder(command).inheritIO().start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> with(List<String> args, String argument) {
		List<String> all = new ArrayList<>(args);
		all.add(argument);
		return List.copyOf(all);
	}

}
