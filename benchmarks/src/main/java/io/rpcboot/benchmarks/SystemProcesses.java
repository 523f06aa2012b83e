package io.rpcboot.benchmarks;

import java.io.IOException;
import java.time.Duration;

import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.fork.Slice;
import io.rpcboot.benchmarks.system.RpcSystem;
import org.jspecify.annotations.Nullable;

/**
 * The two processes of one system, alive for the whole comparison. A system that has
 * failed stays out of it.
 */
final class SystemProcesses implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(45);

	private final RpcSystem system;

	private @Nullable Fork server;

	private @Nullable Fork client;

	SystemProcesses(RpcSystem system) {
		this.system = system;
	}

	RpcSystem system() {
		return this.system;
	}

	String name() {
		return this.system.name();
	}

	void start(Options options) throws IOException, InterruptedException {
		this.server = Fork.start(options, "server", name());
		String port = this.server.awaitReady();
		this.client = Fork.start(options, "client", name(), port);
		this.client.awaitReady();
	}

	Turn run(Scenario scenario, Duration length) throws InterruptedException {
		Fork startedServer = started(this.server);
		Fork startedClient = started(this.client);
		ProcessCounters before = Slice.parseCounters(startedServer.ask("counters", PATIENCE));
		Slice slice = Slice
			.parse(startedClient.ask("run " + scenario.call().label() + " " + scenario.load() + " " + length.toMillis(),
					length.plus(PATIENCE)));
		ProcessCounters after = Slice.parseCounters(startedServer.ask("counters", PATIENCE));
		return Turn.of(slice, after.since(before));
	}

	private static Fork started(@Nullable Fork fork) {
		if (fork == null) {
			throw new BenchmarkException("was not started");
		}
		return fork;
	}

	@Override
	public void close() {
		if (this.client != null) {
			this.client.close();
		}
		if (this.server != null) {
			this.server.close();
		}
	}

}
