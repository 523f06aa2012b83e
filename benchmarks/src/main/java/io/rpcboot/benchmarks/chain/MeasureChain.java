package io.rpcboot.benchmarks.chain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.benchmarks.TextReport;
import io.rpcboot.benchmarks.chain.Hop.Execution;
import io.rpcboot.benchmarks.chain.Hop.Hiccup;
import io.rpcboot.benchmarks.chain.Hop.Report;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;

/**
 * Measures what happens behind a caller that gives up: four processes call each other in
 * a row, and the last one never answers. No implementation should begin when nobody waits
 * any more, and those that run should see soon that nobody does.
 */
public final class MeasureChain {

	private static final double NANOS_PER_MILLI = 1e6;

	/** An implementation begins no later, but for what the machine has slept. */
	private static final double LATEST_START_MILLIS = 20;

	/** 99 of 100 see it as soon as this. */
	private static final double SEEN_MILLIS = 50;

	private static final double LATEST_SEEN_MILLIS = 250;

	/** Before the caller gave up. */
	private static final long HICCUP_WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int WARM_UP = 200;

	private static final int SETTLED_MILLIS = 1000;

	private static final int MOST_PAUSE_FIRST = 200;

	private static final String LINE = "%-22s %10s %16s %16s %16s %16s %16s%n";

	private final ChainOptions options;

	private final List<String> lines = new ArrayList<>();

	private final List<String> missed = new ArrayList<>();

	/**
	 * When the first caller of a chain gave up, by number of the chain; 0 for not yet.
	 */
	private final long[] gaveUp;

	private MeasureChain(ChainOptions options) {
		this.options = options;
		this.gaveUp = new long[WARM_UP + options.chains()];
	}

	/**
	 * Run it.
	 * @param args options, see the README of this module
	 * @throws Exception if a process fails
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(ChainOptions.USAGE);
			return;
		}
		ChainOptions options = ChainOptions.parse(args);
		Files.createDirectories(options.output());
		MeasureChain measure = new MeasureChain(options);
		measure.run();
		TextReport.print(measure.lines, options.output().resolve("chain.txt"));
		if (!measure.missed.isEmpty()) {
			throw new IllegalStateException(String.join("; ", measure.missed));
		}
	}

	private void run() throws IOException, InterruptedException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		Hiccups own = new Hiccups();
		try (HopProcess last = HopProcess.start(java, 0);
				HopProcess middle = HopProcess.start(java, last.port());
				HopProcess first = HopProcess.start(java, middle.port());
				RpcClient client = RpcClient.builder().build()) {
			Hop hop = hop(client, first);
			call(hop, 0, WARM_UP);
			call(hop, WARM_UP, this.gaveUp.length);
			TimeUnit.MILLISECONDS.sleep(SETTLED_MILLIS);
			List<Report> reports = List.of(hop.report(), hop(client, middle).report(), hop(client, last).report());
			this.lines.add(String.format(LINE, this.options.chains() + " chains, ms", "executions", "latest start",
					"  without hiccups", "told p50, p99", "asked p50, p99", "latest seen"));
			List<Hiccup> hiccups = new ArrayList<>(own.seen());
			reports.forEach((each) -> hiccups.addAll(each.hiccups()));
			for (int i = 0; i < reports.size(); i++) {
				row("process " + (i + 2), reports.get(i).executions(), hiccups);
			}
		}
	}

	private static Hop hop(RpcClient client, HopProcess process) {
		return client.reference(Hop.class,
				ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", process.port())));
	}

	private void call(Hop hop, int from, int to) throws InterruptedException {
		AtomicInteger next = new AtomicInteger(from);
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < this.options.callers(); i++) {
			Thread caller = new Thread(() -> {
				for (int chain = next.getAndIncrement(); chain < to; chain = next.getAndIncrement()) {
					call(hop, chain);
				}
			}, "caller-" + i);
			caller.start();
			callers.add(caller);
		}
		for (Thread caller : callers) {
			caller.join();
		}
	}

	/** The pauses let the calls further on begin at any time before and after the end. */
	private void call(Hop hop, int chain) {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(10)));
		List<Integer> pauses = List.of(random.nextInt(MOST_PAUSE_FIRST), random.nextInt(this.options.deadlineMillis()));
		try {
			CallOptions.none()
				.timeout(Duration.ofMillis(this.options.deadlineMillis()))
				.run(() -> hop.pass(chain, pauses));
		}
		catch (RpcException expected) {
			// its time is over
		}
		this.gaveUp[chain] = System.nanoTime();
	}

	private void row(String name, List<Execution> all, List<Hiccup> hiccups) {
		List<Execution> measured = all.stream().filter((each) -> each.chain() >= WARM_UP).toList();
		double latest = Double.NEGATIVE_INFINITY;
		double latestAwake = Double.NEGATIVE_INFINITY;
		List<Double> told = new ArrayList<>();
		List<Double> asked = new ArrayList<>();
		int blind = 0;
		for (Execution each : measured) {
			long end = this.gaveUp[each.chain()];
			long slept = Hiccups.longest(hiccups, end - HICCUP_WINDOW_NANOS, each.startNanos());
			double late = (each.startNanos() - end) / NANOS_PER_MILLI;
			latest = Math.max(latest, late);
			latestAwake = Math.max(latestAwake, late - ((late > 0) ? slept / NANOS_PER_MILLI : 0));
			if (each.toldNanos() != 0) {
				told.add(Math.max(0, (each.toldNanos() - end) / NANOS_PER_MILLI));
			}
			if (each.askedNanos() != 0) {
				asked.add(Math.max(0, (each.askedNanos() - end) / NANOS_PER_MILLI));
			}
			// one whose own call has ended is over soon, told or not
			boolean goesOn = each.endNanos() == 0 || each.endNanos() - end > SEEN_MILLIS * NANOS_PER_MILLI;
			if (goesOn && each.toldNanos() == 0 && each.askedNanos() == 0) {
				blind++;
			}
		}
		double seen = Math.max(share(told, 1), share(asked, 1));
		this.lines.add(String.format(LINE, name, measured.size(), text(latest), text(latestAwake),
				text(share(told, 0.5)) + ", " + text(share(told, 0.99)),
				text(share(asked, 0.5)) + ", " + text(share(asked, 0.99)), text(seen)));
		require(name, "latest start without hiccups", latestAwake, LATEST_START_MILLIS);
		require(name, "p99 told", share(told, 0.99), SEEN_MILLIS);
		require(name, "p99 asked", share(asked, 0.99), SEEN_MILLIS);
		require(name, "latest seen", seen, LATEST_SEEN_MILLIS);
		if (blind > 0) {
			this.missed.add("%s: %d executions went on and never saw that nobody waits".formatted(name, blind));
		}
	}

	private void require(String name, String what, double millis, double most) {
		if (millis > most) {
			this.missed.add("%s: %s is %s ms (expected: at most %.0f)".formatted(name, what, text(millis), most));
		}
	}

	/** 0 if there is none. */
	private static double share(List<Double> values, double share) {
		double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		return (sorted.length == 0) ? 0 : sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
	}

	private static String text(double millis) {
		return String.format(Locale.ROOT, "%.1f", millis);
	}

}
