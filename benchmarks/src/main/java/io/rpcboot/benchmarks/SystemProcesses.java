package io.rpcboot.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.fork.Slice;
import io.rpcboot.benchmarks.workload.BenchCall;
import org.jspecify.annotations.Nullable;

/**
 * The two processes of one system, alive for the whole comparison. A system that has
 * failed stays out of it.
 */
final class SystemProcesses implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(45);

	private final MeasuredSystem system;

	private final Environment environment;

	private @Nullable Fork server;

	private @Nullable Fork client;

	private Set<String> calls = Set.of();

	SystemProcesses(MeasuredSystem system, Environment environment) {
		this.system = system;
		this.environment = environment;
	}

	String name() {
		return this.system.name();
	}

	/**
	 * Start both and wait until they are ready.
	 * @param clients connected clients of the client process, which its callers share
	 */
	void start(int clients) throws IOException, InterruptedException {
		this.server = Fork.start(this.environment, this.system, "server", "server");
		this.server.awaitReady();
		this.client = startClient(clients, "client");
		this.calls = Arrays.stream(this.client.awaitReady().split(",")).collect(Collectors.toSet());
	}

	/**
	 * Start another client process.
	 * @param clients connected clients in it
	 * @param log what to call its log
	 */
	Fork startClient(int clients, String log) throws IOException, InterruptedException {
		return Fork.start(this.environment, this.system, log, "client", server().ready(), String.valueOf(clients));
	}

	boolean supports(BenchCall call) {
		return this.calls.isEmpty() || this.calls.contains(call.label());
	}

	Turn run(Scenario scenario, Duration length) throws InterruptedException {
		return run("run " + scenario.call().label() + " " + scenario.load() + " " + length.toMillis(),
				length.plus(PATIENCE))
			.turn();
	}

	/**
	 * Let the client do something.
	 * @param command what
	 * @param patience the longest it may take
	 */
	Counted run(String command, Duration patience) throws InterruptedException {
		ProcessCounters before = counters("begin");
		Slice slice = Slice.parse(client().ask(command, patience));
		return new Counted(slice, counters("end").since(before));
	}

	private ProcessCounters counters(String edge) throws InterruptedException {
		return Slice.parseCounters(server().ask(edge, PATIENCE));
	}

	Fork server() {
		return Fork.started(this.server);
	}

	Fork client() {
		return Fork.started(this.client);
	}

	List<Long> pids() {
		return List.of(server().pid(), client().pid());
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

	/**
	 * What both processes did.
	 *
	 * @param slice what the client measured
	 * @param server what the server used
	 */
	record Counted(Slice slice, ProcessCounters server) {

		Turn turn() {
			return Turn.of(this.slice, this.server);
		}

	}

}
