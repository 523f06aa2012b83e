package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfClient;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;
import org.jspecify.annotations.Nullable;

/** Checks whether calls wait although no resource is exhausted. */
final class QueueingChecks {

	/**
	 * Fraction of busy threads from which on calls wait for the pool, not for a limit.
	 */
	static final double MANY_THREADS = 0.9;

	/** Mean calls that wait for a grant, from which on they are reported. */
	static final int HELD_CALLS = 16;

	/**
	 * Busy time of all loops, as a fraction of one thread's time, from which on loops may
	 * be blocked.
	 */
	static final double BLOCKED_LOOP = 0.5;

	/**
	 * CPU time of the process as a fraction of the loops' busy time, up to which loops
	 * wait instead of compute.
	 */
	static final double LITTLE_WORK = 0.25;

	/** Median up to which calls are fast enough. */
	static final Duration LONG = Duration.ofMillis(20);

	/** Factor over the usual median. */
	static final int MUCH_LONGER = 10;

	private static final int MOST_NAMES = 3;

	private QueueingChecks() {
	}

	/**
	 * Finds calls that wait for a thread although some are idle, because a service or
	 * method has its maximum. A maximum that the server has found itself is reported if
	 * calls expire.
	 */
	static List<Finding> limitedThreads(DiagnosticSnapshot situation) {
		OfServer server = situation.server();
		Double waiting = situation.past().least("poolWaiting", HistoryWindow.MOMENT);
		Double busy = situation.past().mean("poolBusy", HistoryWindow.MOMENT);
		if (server == null || waiting == null || busy == null || waiting < 1
				|| busy > MANY_THREADS * server.pool().maxThreads()) {
			return List.of();
		}
		List<ThreadLimit> limits = ThreadLimit.of(server);
		long late = situation.past().times("expired", HistoryWindow.MINUTE);
		if (limits.isEmpty() && late == 0) {
			return List.of();
		}
		long least = Math.max(1, Math.round(waiting));
		long idle = server.pool().maxThreads() - Math.round(busy);
		ThreadLimit only = (limits.size() == 1) ? limits.get(0) : null;
		String text = "At least %s%s %s for a thread%s, although %d of %d are idle.%s".formatted(
				Formats.count(least, "call"), (only != null) ? " of " + only.name() : "",
				(least == 1) ? "waits" : "wait", reason(limits), idle, server.pool().maxThreads(), Formats.late(late));
		Finding finding = Finding.of((late > 0) ? Severity.ERROR : Severity.WARNING, text,
				(only != null) ? only.property() : "rpc.server.services.<name>.max-threads",
				slowest(situation, limits) + ((only != null) ? only.advice()
						: "Raise the limit if the method waits for other systems, add instances if it computes, or make it faster."));
		return List.of((only != null) ? finding.at("services", only.service()) : finding);
	}

	private static String reason(List<ThreadLimit> limits) {
		if (limits.isEmpty()) {
			return ", because the server measured that more threads at once would not be faster";
		}
		return (limits.size() == 1) ? ", because it may use " + limits.get(0).amount()
				: ", because a limit is reached: " + limits.stream()
					.limit(MOST_NAMES)
					.map((each) -> each.name() + " may use " + each.amount())
					.collect(Collectors.joining(", "));
	}

	/** Returns the method that takes most of the threads: rate times median. */
	private static String slowest(DiagnosticSnapshot situation, List<ThreadLimit> limits) {
		List<String> services = limits.stream().map(ThreadLimit::service).toList();
		return situation.methods()
			.stream()
			.filter((each) -> each.side() == Side.SERVER && (services.isEmpty() || services.contains(each.service())))
			.filter((each) -> each.callsPerSecond() * each.p50Nanos() > 0)
			.max(Comparator.comparingDouble((MethodStats each) -> each.callsPerSecond() * each.p50Nanos()))
			.map((each) -> "Most of the time goes to %s: on average it waits for %s and runs for %s. "
				.formatted(LatencyChecks.name(each), Formats.time(each.waitedNanos()), Formats.time(each.ranNanos())))
			.orElse("");
	}

	/** Finds calls that wait in the client for grants of servers. */
	static List<Finding> awaitedGrants(DiagnosticSnapshot situation) {
		OfClient client = situation.client();
		Double held = situation.past().mean("held", HistoryWindow.MOMENT);
		if (client == null || held == null || held < HELD_CALLS
				|| !client.references().stream().allMatch(ReferenceInfo::isReady)) {
			return List.of();
		}
		return List.of(Finding.note(
				"This client has more calls than its servers take: on average %s wait for a grant."
					.formatted(Formats.count(Math.round(held), "call")),
				null,
				"Do callers send without waiting for replies? Otherwise servers are busy: look at those with most pending calls.")
			.at("instances"));
	}

	/**
	 * Finds event loops that are busy while the process uses little CPU: they wait for
	 * something. The time for which they were ready to run and got no processor, as in a
	 * throttled container, does not count; where the system does not tell it, the finding
	 * names both causes.
	 */
	static List<Finding> blockedLoops(DiagnosticSnapshot situation) {
		return blockedLoops(situation, Runtime.getRuntime().availableProcessors());
	}

	static List<Finding> blockedLoops(DiagnosticSnapshot situation, int processors) {
		List<Finding> result = new ArrayList<>();
		Double share = situation.past().mean("processCpu", HistoryWindow.MOMENT);
		Double waiting = situation.past().mean("loopsWaiting", HistoryWindow.MOMENT);
		for (String side : List.of("client", "server")) {
			Double busy = situation.past().mean(side + "LoopsBusy", HistoryWindow.MOMENT);
			Double loops = situation.past().last(side + "Loops");
			if (share == null || busy == null || loops == null) {
				continue;
			}
			double held = busy * loops - ((waiting != null) ? waiting : 0);
			if (held >= BLOCKED_LOOP && share * processors <= LITTLE_WORK * held) {
				result.add(blocked(side, busy * loops, share * processors, waiting));
			}
		}
		return result;
	}

	private static Finding blocked(String side, double busy, double computed, @Nullable Double waiting) {
		boolean isClient = side.equals("client");
		return Finding.warning(
				"%s: in the last %d s the loops of the %s were busy for %s of the time of one thread, and the whole process computed for %s%s."
					.formatted(
							(waiting != null) ? "Something blocks an event loop"
									: "Something blocks an event loop, or this machine gives it no processor",
							HistoryWindow.MOMENT.toSeconds(), side, Formats.percent(busy), Formats.percent(computed),
							(waiting != null) ? "; they waited for a processor for " + Formats.percent(waiting) : ""),
				isClient ? "rpc.client.callbacks" : "rpc.server.services.<name>.methods.<method>.dispatch",
				(isClient
						? "A callback on it sleeps, waits for a lock or for another system. Set the property to pool, the default, or use other threads. "
						: "A method or an interceptor on it sleeps, waits for a lock or for another system. Set the property to pool or virtual. ")
						+ "The stack of thread rpc-%s-loop in a thread dump shows where; without such a stack, look at the load of the machine and the processor limit of the container."
							.formatted(side));
	}

	/** Finds calls that are slower than usual, for causes that no other check finds. */
	static List<Finding> slowerThanUsual(DiagnosticSnapshot situation) {
		List<Finding> result = new ArrayList<>();
		if (situation.server() != null) {
			add(result, "server", situation);
		}
		if (situation.client() != null) {
			add(result, "client", situation);
		}
		return result;
	}

	private static void add(List<Finding> result, String side, DiagnosticSnapshot situation) {
		Double now = situation.past().mean(side + "P50", HistoryWindow.MOMENT);
		@Nullable Double usual = situation.past().usual(side + "P50");
		if (now == null || usual == null || now < Math.max(LONG.toMillis(), MUCH_LONGER * usual)) {
			return;
		}
		result.add(Finding.note(
				"Calls take longer than usual at this %s: %s (median), and %s in the quieter part of the last 15 minutes."
					.formatted(side, Formats.time(nanos(now)), Formats.time(nanos(usual))),
				null,
				side.equals("client")
						? "Look at the slowest calls: are they all of one instance? Its dashboard shows whether its methods or the wait for a thread take the time."
						: "Look at the slowest methods and at threads, memory and event loops.")
			.at(side.equals("client") ? "calls" : "methods"));
	}

	private static long nanos(double millis) {
		return Math.round(millis * Duration.ofMillis(1).toNanos());
	}

}
