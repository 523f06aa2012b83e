package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.PoolInfo.Exhaustion;
import io.rpcboot.server.PoolInfo.Holder;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfClient;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;
import io.rpcboot.transport.ConnectionInfo;

/**
 * Checks whether a resource is exhausted: threads, memory, event loops, pending calls.
 */
final class CapacityChecks {

	/** Time for which an exhaustion of threads is reported. */
	static final Duration USED_UP = Duration.ofMinutes(2);

	/**
	 * Fraction of the limit of a memory account from which on the bytes of both
	 * directions count as nearly full. Less than 1, because one direction alone takes at
	 * most {@code limit - min(limit / 2, max(limit / 4, 1.25 * largestBody))}. Example:
	 * of 1,000 bytes one direction takes at most 750, so its calls may wait although 250
	 * bytes are free.
	 */
	static final double FULL_ACCOUNT = 0.7;

	/** Fraction of time from which on event loops count as busy. */
	static final double BUSY_LOOPS = 0.9;

	/** Calls in flight of one client from which on it may flood the server. */
	static final int FLOOD_CALLS = 128;

	/** Fraction of all calls in flight from which on one client floods the server. */
	static final double FLOOD_SHARE = 0.5;

	private CapacityChecks() {
	}

	static List<Finding> usedUpPool(DiagnosticSnapshot situation) {
		OfServer server = situation.server();
		Exhaustion usedUp = (server != null) ? server.pool().usedUp() : null;
		if (server == null || usedUp == null || !Formats.isWithin(usedUp.at(), situation.now(), USED_UP)) {
			return List.of();
		}
		PoolInfo pool = server.pool();
		String text = "No thread of the pool (%d) was free for %s%s.".formatted(pool.maxThreads(),
				Formats.count(usedUp.waiting(), "call"), holders(usedUp.holders()));
		return List.of(Finding.error(text, "rpc.server.pool.max-threads",
				"What does the method wait for? The stack of a thread is in the log and under server.pool.usedUp of the endpoint. "
						+ "rpc.server.services.<name>.max-threads keeps threads for the other services; more threads help only if the method waits."));
	}

	private static String holders(List<Holder> holders) {
		if (holders.isEmpty()) {
			return "";
		}
		Holder first = holders.get(0);
		return "; %s had %d, %d of them in the same call for a second or longer".formatted(first.method(),
				first.threads(), first.stuck());
	}

	static List<Finding> fullAccount(DiagnosticSnapshot situation) {
		List<Finding> result = new ArrayList<>();
		for (String side : List.of("client", "server")) {
			Double used = situation.past().least(side + "Memory");
			Double limit = situation.past().last(side + "MemoryLimit");
			Double waiting = situation.past().least(side + "MemoryWaiting", HistoryWindow.MOMENT);
			if (waiting != null && waiting >= 1) {
				long late = situation.past().times("expired", HistoryWindow.MINUTE);
				result.add(fullAccount((late > 0) ? Severity.ERROR : Severity.WARNING, situation, side,
						"Calls wait for memory of the %s: %s or more at any time in the last %d s.%s".formatted(side,
								Formats.grouped(Math.round(waiting)), HistoryWindow.MOMENT.toSeconds(),
								Formats.late(late))));
			}
			else if (used != null && limit != null && limit > 0 && used >= FULL_ACCOUNT * limit) {
				result.add(fullAccount(Severity.WARNING, situation, side,
						"The memory account of the %s is nearly full: at least %s of its limit was in use for a minute."
							.formatted(side, Formats.percent(used / limit))));
			}
		}
		return result;
	}

	private static Finding fullAccount(Severity severity, DiagnosticSnapshot situation, String side, String text) {
		return Finding.of(severity, text + holder(situation, side), "rpc.%s.memory.limit".formatted(side),
				"Calls wait because arguments and results fill the account. Raise the limit together with -Xmx and -XX:MaxDirectMemorySize, send smaller messages, limit concurrent callers, or find the clients that read results slowly (stalls of connections).");
	}

	/**
	 * Returns a sentence that names the client or server that holds most of an account.
	 */
	private static String holder(DiagnosticSnapshot situation, String side) {
		Map<String, Long> held = new HashMap<>();
		connections(situation, side).forEach((each) -> held.merge(client(each), each.memoryBytes(), Long::sum));
		long all = held.values().stream().mapToLong(Long::longValue).sum();
		return held.entrySet()
			.stream()
			.max(Map.Entry.comparingByValue())
			.filter((most) -> most.getValue() > 0)
			.map((most) -> " %s holds most of it: %s of what connections hold.".formatted(most.getKey(),
					Formats.percent((double) most.getValue() / all)))
			.orElse("");
	}

	private static List<ConnectionInfo> connections(DiagnosticSnapshot situation, String side) {
		if (side.equals("client")) {
			return (situation.client() != null) ? situation.client().connections() : List.of();
		}
		return (situation.server() != null) ? situation.server().connections() : List.of();
	}

	static List<Finding> busyLoops(DiagnosticSnapshot situation) {
		List<Finding> result = new ArrayList<>();
		for (String side : List.of("client", "server")) {
			Double busy = situation.past().mean(side + "LoopsBusy");
			if (busy != null && busy >= BUSY_LOOPS) {
				result.add(Finding.warning(
						"The event loops of the %s worked for %s of the last minute.".formatted(side,
								Formats.percent(busy)),
						"rpc.%s.event-loop.threads".formatted(side),
						"Move long work away from them (dispatch or callbacks event-loop), raise the number of threads if there are cores, or add instances."));
			}
		}
		return result;
	}

	static List<Finding> fullClient(DiagnosticSnapshot situation) {
		OfClient client = situation.client();
		if (client == null || client.queuedCalls() == 0 && client.pendingCalls() < client.maxPendingCalls()) {
			return List.of();
		}
		return List.of(Finding.warning(
				"%s pending of at most %d, and %d %s.".formatted(
						(client.pendingCalls() == 1) ? "1 call is" : client.pendingCalls() + " calls are",
						client.maxPendingCalls(), client.queuedCalls(), (client.queuedCalls() == 1) ? "waits" : "wait"),
				"rpc.client.max-pending-calls",
				"Servers are too slow or callers too many. Look at the slowest methods and instances before the limit is raised."));
	}

	/**
	 * Finds a client that has most of the calls in flight while calls wait for a thread.
	 */
	static List<Finding> flood(DiagnosticSnapshot situation) {
		OfServer server = situation.server();
		long waiting = (server != null) ? recent(server.pool().waiting(), situation.past(), "poolWaiting") : 0;
		if (server == null || waiting == 0) {
			return List.of();
		}
		Map<String, Flood> clients = new HashMap<>();
		server.connections().forEach((each) -> clients.merge(client(each), new Flood(each), Flood::and));
		int now = server.connections().stream().mapToInt(ConnectionInfo::pending).sum();
		boolean isOnly = clients.size() == 1;
		long all = isOnly ? recent(now, situation.past(), "inFlight") : now;
		return clients.entrySet()
			.stream()
			.filter((each) -> isOnly ? all >= FLOOD_CALLS : each.getValue().calls() >= FLOOD_CALLS)
			.filter((each) -> isOnly || each.getValue().calls() >= FLOOD_SHARE * all)
			.map((each) -> flood(each.getKey(), each.getValue(), isOnly ? all : each.getValue().calls(), all, waiting))
			.toList();
	}

	/**
	 * Returns the greater of the current value and the mean of the last
	 * {@link HistoryWindow#MOMENT}, because queues fill and empty many times between two
	 * checks.
	 */
	private static long recent(int now, HistoryWindow past, String name) {
		Double mean = past.mean(name, HistoryWindow.MOMENT);
		return Math.max(now, (mean != null) ? Math.round(mean) : 0);
	}

	private static Finding flood(String client, Flood flood, long calls, long all, long waiting) {
		return Finding.warning(
				"%s floods this server: %s of the %s calls in flight are its own, and %s %s for a thread.".formatted(
						client, Formats.grouped(calls), Formats.grouped(all), Formats.count(waiting, "call"),
						(waiting == 1) ? "waits" : "wait"),
				"rpc.server.limits.calls-per-connection",
				"Ask the owner of that client for the reason. With a lower limit its calls wait in the client and leave capacity for others.")
			.at("connections", "server", flood.busiest().remote());
	}

	/**
	 * Returns the name of a client: application and host, because each connection has
	 * another port.
	 */
	private static String client(ConnectionInfo connection) {
		String remote = connection.remote();
		int port = remote.lastIndexOf(':');
		String host = (port > 0) ? remote.substring(0, port) : remote;
		return connection.application().isEmpty() ? host : connection.application() + " on " + host;
	}

	/**
	 * Calls of a client at this server.
	 *
	 * @param calls calls in flight
	 * @param busiest connection with most messages
	 */
	private record Flood(int calls, ConnectionInfo busiest) {

		Flood(ConnectionInfo connection) {
			this(connection.pending(), connection);
		}

		Flood and(Flood other) {
			return new Flood(this.calls + other.calls,
					(this.busiest.messages() >= other.busiest.messages()) ? this.busiest : other.busiest);
		}

	}

}
