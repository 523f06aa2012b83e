package io.rpcboot.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.fork.Ends;
import io.rpcboot.benchmarks.fork.LoadSpec;

/**
 * The server and the clients of one cell of one system, each a process of its own.
 */
final class GoodputProcesses implements AutoCloseable {

	/** For what is to be answered at once, by a process that may be busy. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Duration SETTLED_AFTER = Duration.ofMillis(400);

	private static final int SETTLE_ATTEMPTS = 50;

	private final GoodputCell cell;

	private final MeasuredSystem system;

	private final Environment environment;

	private final List<Fork> clients = new ArrayList<>();

	private final Fork server;

	GoodputProcesses(GoodputCell cell, MeasuredSystem system, Environment environment) throws IOException {
		this.cell = cell;
		this.system = system;
		this.environment = environment;
		this.server = Fork.start(environment, system, cell.word() + "-server", "server", cell.capacity().service());
	}

	void start() throws IOException, InterruptedException {
		String port = this.server.awaitReady();
		for (int i = 0; i < this.cell.processes(); i++) {
			this.clients.add(Fork.start(this.environment, this.system, this.cell.word() + "-client" + (i + 1), "client",
					port, String.valueOf(this.cell.clients(i)), String.valueOf(this.cell.timeout().toMillis())));
		}
		for (Fork client : this.clients) {
			client.awaitReady();
		}
	}

	/**
	 * Let all clients call at the same time.
	 * @param load of each process
	 */
	Ends run(LoadSpec load, Duration length) throws InterruptedException {
		String command = "goodput " + load + " " + this.cell.capacity().handlerMillis() + " "
				+ this.cell.timeout().toMillis() + " " + length.toMillis();
		for (Fork client : this.clients) {
			client.tell(command);
		}
		List<Ends> ends = new ArrayList<>();
		for (Fork client : this.clients) {
			ends.add(Ends.parse(client.answer(length.plus(this.cell.timeout()).plus(PATIENCE))));
		}
		return ends.stream().reduce(Ends::and).orElseThrow();
	}

	/**
	 * Wait until the server does nothing more.
	 * @return how many calls it has executed since its start
	 */
	long settle() throws InterruptedException {
		Executed last = executed();
		for (int i = 0; i < SETTLE_ATTEMPTS; i++) {
			TimeUnit.MILLISECONDS.sleep(SETTLED_AFTER.toMillis());
			Executed now = executed();
			if (now.equals(last) && now.running() == 0) {
				break;
			}
			last = now;
		}
		return last.calls();
	}

	private Executed executed() throws InterruptedException {
		String[] words = this.server.ask("executed", PATIENCE).split(" ");
		return new Executed(Long.parseLong(words[0]), Long.parseLong(words[1]));
	}

	/**
	 * What the server has done.
	 *
	 * @param calls that have begun to execute
	 * @param running those of them that have not ended
	 */
	private record Executed(long calls, long running) {

	}

	long serverHeap() throws InterruptedException {
		return heap(this.server);
	}

	/** Used heap of each client process. */
	List<Long> clientHeaps() throws InterruptedException {
		List<Long> heaps = new ArrayList<>();
		for (Fork client : this.clients) {
			heaps.add(heap(client));
		}
		return heaps;
	}

	private static long heap(Fork fork) throws InterruptedException {
		return Long.parseLong(fork.ask("heap", PATIENCE));
	}

	@Override
	public void close() {
		this.clients.forEach(Fork::close);
		this.server.close();
	}

}
