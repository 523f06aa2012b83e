package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.descriptor.MethodStatsDescriptor;

/** Checks for slow methods. */
final class LatencyChecks {

	/**
	 * Median from which on a method with dispatch {@code event-loop} is reported; it
	 * should take microseconds.
	 */
	static final Duration LONG_ON_LOOP = Duration.ofMillis(5);

	/** Least 99th percentile of a slow method. */
	static final Duration SLOW = Duration.ofMillis(100);

	/** Factor over the median of the methods from which on a method is slow. */
	static final int MUCH_SLOWER = 20;

	private LatencyChecks() {
	}

	/** Finds methods that block an event loop, and thereby all of its connections. */
	static List<Finding> blockingLoop(DiagnosticSnapshot situation) {
		Set<String> onLoop = new HashSet<>();
		services(situation).forEach((service) -> {
			for (int i = 0; i < service.methods().size(); i++) {
				if (service.dispatch().get(i) == Dispatch.EVENT_LOOP) {
					onLoop.add(service.service() + "." + service.methods().get(i));
				}
			}
		});
		return situation.methods()
			.stream()
			.filter((each) -> each.side() == Side.SERVER && each.p50Nanos() >= LONG_ON_LOOP.toNanos())
			.filter((each) -> onLoop.contains(name(each)))
			.map((each) -> at(each, Finding.warning(
					"%s runs on the event loop and takes %s (median): all connections of its loop wait meanwhile."
						.formatted(name(each), Formats.time(each.p50Nanos())),
					"rpc.server.services.<name>.methods.<method>.dispatch",
					"Set it to pool or virtual; event-loop is for methods that never block and take microseconds.")))
			.toList();
	}

	/**
	 * Finds slow methods of the server, and of the client for services that this process
	 * does not offer itself, because the two findings would be the same.
	 */
	static List<Finding> slow(DiagnosticSnapshot situation) {
		List<Finding> result = new ArrayList<>(slow(tracked(situation, Side.SERVER)));
		Set<String> own = new HashSet<>();
		services(situation).forEach((service) -> own.add(service.service().toString()));
		result.addAll(slow(
				tracked(situation, Side.CLIENT).stream().filter((method) -> !own.contains(method.service())).toList()));
		return result;
	}

	private static List<MethodStats> tracked(DiagnosticSnapshot situation, Side side) {
		return situation.methods()
			.stream()
			.filter((each) -> each.side() == side && each.tracked() && each.p99Nanos() > 0)
			.filter((each) -> each.calls() >= ErrorChecks.ENOUGH_CALLS)
			.toList();
	}

	private static List<Finding> slow(List<MethodStats> methods) {
		long[] sorted = methods.stream().mapToLong(MethodStats::p99Nanos).sorted().toArray();
		if (sorted.length < 2) {
			return List.of();
		}
		long median = sorted[(sorted.length - 1) / 2];
		long slow = Math.max(SLOW.toNanos(), MUCH_SLOWER * median);
		return methods.stream()
			.filter((each) -> each.p99Nanos() >= slow)
			.sorted((one, other) -> Long.compare(other.p99Nanos(), one.p99Nanos()))
			.map((each) -> slow(each, median))
			.toList();
	}

	private static Finding slow(MethodStats method, long median) {
		boolean isServer = method.side() == Side.SERVER;
		return at(method, Finding.note(
				"%s is much slower than the others: %s (p99 of the last five minutes), and half of the methods have at most %s."
					.formatted(name(method), Formats.time(method.p99Nanos()), Formats.time(median)),
				isServer ? "rpc.server.services.<name>.methods.<method>.max-threads" : null, isServer
						? "Find out what it waits for. If it must take that long, limit its threads, so that other methods get some."
						: "The dashboard of the server shows whether the method or the wait for a thread takes the time. If it must take that long, is its timeout long enough?"));
	}

	private static List<ServiceInfo> services(DiagnosticSnapshot situation) {
		return (situation.server() != null) ? situation.server().services() : List.of();
	}

	static String name(MethodStats method) {
		return method.service() + "." + method.method();
	}

	/** Returns the finding with a link to a method. */
	static Finding at(Side side, String service, String method, Finding finding) {
		return finding.at("methods", MethodStatsDescriptor.name(side), service, method);
	}

	static Finding at(MethodStats method, Finding finding) {
		return at(method.side(), method.service(), method.method(), finding);
	}

}
