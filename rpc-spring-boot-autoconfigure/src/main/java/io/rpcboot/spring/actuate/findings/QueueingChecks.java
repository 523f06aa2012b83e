package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfClient;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;
import org.jspecify.annotations.Nullable;

/** Do calls wait although nothing is full? */
final class QueueingChecks {

	/** With more threads than this in use the pool is what calls wait for. */
	static final double MANY_THREADS = 0.9;

	/** Calls that wait for servers, on average. */
	static final int HELD_CALLS = 16;

	/** Of the time of one event loop. */
	static final double BLOCKED_LOOP = 0.5;

	/** What the process computes, in parts of what its event loops seem to work. */
	static final double LITTLE_WORK = 0.25;

	/** Whatever takes less is fast enough, whatever is usual. */
	static final Duration LONG = Duration.ofMillis(20);

	/** Times what is usual. */
	static final int MUCH_LONGER = 10;

	private static final int MOST_NAMES = 3;

	private QueueingChecks() {
	}

	/** Threads are free, but a service or a method has as many as it may have. */
	static List<Finding> limitedThreads(DiagnosticSnapshot situation) {
		OfServer server = situation.server();
		Double waiting = situation.past().least("poolWaiting", HistoryWindow.MOMENT);
		Double busy = situation.past().mean("poolBusy", HistoryWindow.MOMENT);
		if (server == null || waiting == null || busy == null || waiting < 1
				|| busy > MANY_THREADS * server.pool().maxThreads()) {
			return List.of();
		}
		List<ServiceInfo> limited = server.services().stream().filter(QueueingChecks::isLimited).toList();
		long late = situation.past().times("expired", HistoryWindow.MINUTE);
		String text = "%s for a thread although %d of %d are free: %s.%s".formatted(
				(waiting < 2) ? "1 call or more waits" : Math.round(waiting) + " calls or more wait",
				server.pool().maxThreads() - Math.round(busy), server.pool().maxThreads(), limits(limited),
				Formats.late(late));
		Finding finding = Finding.of((late > 0) ? Severity.ERROR : Severity.WARNING, text,
				"rpc.server.services.<name>.max-threads", "Its calls wait for each other. "
						+ slowest(situation, limited) + "Allow it more threads, or let it take less time.");
		return List.of((limited.size() == 1) ? finding.at("services", limited.get(0).service().toString()) : finding);
	}

	private static boolean isLimited(ServiceInfo service) {
		return service.maxThreads() != null || !service.methodMaxThreads().isEmpty();
	}

	private static String limits(List<ServiceInfo> limited) {
		if (limited.isEmpty()) {
			return "a service or method has as many as it may have now";
		}
		String names = limited.stream().limit(MOST_NAMES).map(QueueingChecks::limit).collect(Collectors.joining(", "));
		return ((limited.size() == 1) ? "" : "one of these has as many as it may have: ") + names;
	}

	private static String limit(ServiceInfo service) {
		List<String> limits = new ArrayList<>();
		if (service.maxThreads() != null) {
			limits.add("has at most " + service.maxThreads());
		}
		service.methodMaxThreads()
			.entrySet()
			.stream()
			.limit(MOST_NAMES)
			.forEach((each) -> limits.add("its %s at most %d".formatted(each.getKey(), each.getValue())));
		return service.service() + " " + String.join(", ", limits);
	}

	/**
	 * The method that has most of the threads: by its rate and the time that it takes.
	 */
	private static String slowest(DiagnosticSnapshot situation, List<ServiceInfo> limited) {
		List<String> services = limited.stream().map((each) -> each.service().toString()).toList();
		return situation.methods()
			.stream()
			.filter((each) -> each.side() == Side.SERVER && services.contains(each.service()))
			.filter((each) -> each.callsPerSecond() * each.p50Nanos() > 0)
			.max(Comparator.comparingDouble((MethodStats each) -> each.callsPerSecond() * each.p50Nanos()))
			.map((each) -> "Most of the time goes to %s (median %s). ".formatted(LatencyChecks.name(each),
					Formats.time(each.p50Nanos())))
			.orElse("");
	}

	/** Servers take no more, and the calls wait at home. */
	static List<Finding> awaitedGrants(DiagnosticSnapshot situation) {
		OfClient client = situation.client();
		Double held = situation.past().mean("held", HistoryWindow.MOMENT);
		if (client == null || held == null || held < HELD_CALLS
				|| !client.references().stream().allMatch(ReferenceInfo::isReady)) {
			return List.of();
		}
		return List.of(Finding.note(
				"This client has more calls than its servers take: %s wait here on average until one grants more."
					.formatted(Formats.count(Math.round(held), "call")),
				null,
				"Do callers wait for answers, or do they only send? Else servers are busy: look at those with most pending calls.")
			.at("instances"));
	}

	/** Event loops that are busy while nothing is computed wait for something. */
	static List<Finding> blockedLoops(DiagnosticSnapshot situation) {
		return blockedLoops(situation, Runtime.getRuntime().availableProcessors());
	}

	static List<Finding> blockedLoops(DiagnosticSnapshot situation, int processors) {
		List<Finding> result = new ArrayList<>();
		Double share = situation.past().mean("processCpu", HistoryWindow.MOMENT);
		for (String side : List.of("client", "server")) {
			Double busy = situation.past().mean(side + "LoopsBusy", HistoryWindow.MOMENT);
			Double loops = situation.past().last(side + "Loops");
			if (share != null && busy != null && loops != null && busy * loops >= BLOCKED_LOOP
					&& share * processors <= LITTLE_WORK * busy * loops) {
				result.add(blocked(side, busy * loops, share * processors));
			}
		}
		return result;
	}

	private static Finding blocked(String side, double busy, double computed) {
		boolean isClient = side.equals("client");
		return Finding.warning(
				"Something blocks an event loop of the %s: in the last %d s its loops were busy for %s of the time of one thread, and the whole process computed for %s."
					.formatted(side, HistoryWindow.MOMENT.toSeconds(), Formats.percent(busy),
							Formats.percent(computed)),
				isClient ? "rpc.client.callbacks" : "rpc.server.services.<name>.methods.<method>.dispatch",
				(isClient
						? "A callback that runs there sleeps, waits for a lock or for another system. Set it to pool, the default, or use other threads. "
						: "A method or an interceptor that runs there sleeps, waits for a lock or for another system. Set it to pool or virtual. ")
						+ "The stack of thread rpc-%s-loop in a thread dump says where.".formatted(side));
	}

	/** For where no check knows why. */
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
						? "Look at the slowest calls: are they all of one instance? Its dashboard says whether its methods or their wait for a thread take the time."
						: "Look at the slowest methods and at threads, memory and event loops.")
			.at("calls"));
	}

	private static long nanos(double millis) {
		return Math.round(millis * Duration.ofMillis(1).toNanos());
	}

}
