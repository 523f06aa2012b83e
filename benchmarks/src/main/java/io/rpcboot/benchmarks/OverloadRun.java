package io.rpcboot.benchmarks;

import java.io.IOException;
import java.time.Duration;

import io.rpcboot.benchmarks.fork.Fired;
import io.rpcboot.benchmarks.fork.Slice;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * A server that sleeps 1 ms in each call, and one client that makes calls without looking
 * how many are under way; after it, 50 clients that wait. What is left on the heaps shows
 * whether something was kept.
 */
final class OverloadRun {

	static final String NAME = "overload";

	private static final int CLIENTS = 50;

	/** Calls that fail sooner than this have failed before their deadline of 3 s. */
	private static final Duration DEADLINE = Duration.ofMillis(2_850);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final int WARMUP_MILLIS = 4_000;

	private static final int CLIENTS_MILLIS = 5_000;

	private static final double MIB = 1024 * 1024;

	private final OverloadOptions options;

	private final Environment environment;

	OverloadRun(OverloadOptions options, Environment environment) {
		this.options = options;
		this.environment = environment;
	}

	/**
	 * What it gave.
	 *
	 * @param fired what became of the calls of the client without limit
	 * @param laterCalls calls that the 50 clients made, all answered
	 * @param serverHeapGrowth used heap of the server after, less that before, in bytes
	 * @param clientHeapGrowth the same of the client without limit
	 */
	record Outcome(Fired fired, long laterCalls, long serverHeapGrowth, long clientHeapGrowth) {

		double failedEarly() {
			return this.fired.failedEarly();
		}

		double heapGrowthMiB() {
			return Math.max(this.serverHeapGrowth, this.clientHeapGrowth) / MIB;
		}

	}

	Outcome run() throws IOException, InterruptedException {
		try (SystemProcesses system = new SystemProcesses(this.environment.system(this.options.system()),
				this.environment)) {
			system.start(1);
			String call = BenchCall.SLEEP_1.label();
			Duration fire = Duration.ofSeconds(this.options.seconds());
			String firing = "fire " + call + " " + DEADLINE.toMillis() + " ";
			system.client().ask(firing + WARMUP_MILLIS, PATIENCE);
			long server = heap(system.server());
			long client = heap(system.client());
			Fired fired = Fired.parse(system.client().ask(firing + fire.toMillis(), fire.plus(PATIENCE)));
			long later = runClients(system, call);
			return new Outcome(fired, later, heap(system.server()) - server, heap(system.client()) - client);
		}
	}

	/** A call that fails ends this with what failed. */
	private static long runClients(SystemProcesses system, String call) throws IOException, InterruptedException {
		try (Fork clients = system.startClient(CLIENTS, "clients")) {
			clients.awaitReady();
			String line = clients.ask("run " + call + " blocking:" + CLIENTS + ":0:0 " + CLIENTS_MILLIS, PATIENCE);
			return Slice.parse(line).calls();
		}
	}

	private static long heap(Fork fork) throws InterruptedException {
		return Long.parseLong(fork.ask("heap", PATIENCE));
	}

}
