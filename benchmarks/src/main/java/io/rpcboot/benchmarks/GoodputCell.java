package io.rpcboot.benchmarks;

import java.time.Duration;
import java.util.Arrays;

import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.CapacityService;

/**
 * One server and one load that is more than it can do.
 *
 * @param capacity what the server can do
 * @param timeout the time allowed for a call
 * @param clients client objects: one in one process, or more in two processes
 * @param times calls begin at this multiple of the capacity; 0 for as fast as the clients
 * take them
 */
record GoodputCell(Capacity capacity, Duration timeout, int clients, int times) {

	private static final int PROCESSES = 2;

	/** Threads that fire, in each process. */
	private static final int FIRING = 2;

	/** What a server can do, by what its handler does. */
	enum Capacity {

		/** Four handlers at a time sleep 20 ms. */
		SLOW("200", CapacityService.permits(4), 20, 16),

		/** 200 handlers, as many as ours has threads, sleep 20 ms. */
		FAST("10000", CapacityService.permits(200), 20, 256),

		/** What the system itself can do. */
		NO_OP("no-op", CapacityService.UNLIMITED, 0, 64),

		/** Handlers that take 5 ms of a processor. */
		CPU("cpu", CapacityService.BURN, 5, 8);

		private final String word;

		private final String service;

		private final int handlerMillis;

		private final int blockingCallers;

		Capacity(String word, String service, int handlerMillis, int blockingCallers) {
			this.word = word;
			this.service = service;
			this.handlerMillis = handlerMillis;
			this.blockingCallers = blockingCallers;
		}

		/** What options and reports call it. */
		String word() {
			return this.word;
		}

		/** The word of the {@link CapacityService}. */
		String service() {
			return this.service;
		}

		int handlerMillis() {
			return this.handlerMillis;
		}

		static Capacity of(String word) {
			return Arrays.stream(values())
				.filter((each) -> each.word.equals(word))
				.findFirst()
				.orElseThrow(() -> new IllegalArgumentException("--capacities: " + word + " (expected: some of "
						+ Arrays.stream(values()).map(Capacity::word).toList() + ")"));
		}

	}

	/** Handlers of 5 ms that nobody waits for longer than 200 ms. */
	static GoodputCell open(int times) {
		return new GoodputCell(Capacity.CPU, Duration.ofMillis(200), 1, times);
	}

	int processes() {
		return (this.clients == 1) ? 1 : PROCESSES;
	}

	int clients(int process) {
		return this.clients / processes() + ((process < this.clients % processes()) ? 1 : 0);
	}

	/**
	 * Blocking callers of one process. Over all they are more than the handlers at a
	 * time, but few enough that none waits for long.
	 */
	LoadSpec blocking() {
		return LoadSpec.blocking(this.capacity.blockingCallers / processes());
	}

	/**
	 * Calls of one process without limit.
	 * @param capacity calls per second that blocking callers reached
	 */
	LoadSpec firing(double capacity) {
		LoadSpec load = LoadSpec.fire(FIRING);
		return (this.times == 0) ? load
				: load.atRate(Math.max(1, (int) Math.round(this.times * capacity / processes())));
	}

	/** How its calls begin, for reports. */
	String load() {
		return (this.times == 0) ? "no limit" : this.times + " times";
	}

	/** One word, for the names of files. */
	String word() {
		return this.capacity.word + "-" + this.timeout.toMillis() + "ms-" + this.clients
				+ ((this.times == 0) ? "" : "-" + this.times + "x");
	}

}
