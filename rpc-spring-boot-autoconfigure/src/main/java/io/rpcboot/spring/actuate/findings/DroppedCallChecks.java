package io.rpcboot.spring.actuate.findings;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Formats;
import org.jspecify.annotations.Nullable;

/** Checks for lost, dropped and expired calls. */
final class DroppedCallChecks {

	private static final String RETURN_A_RESULT = "or let the method return a result, so that its callers learn of it.";

	private DroppedCallChecks() {
	}

	/** Finds lost one-way calls of this client. */
	static List<Finding> lost(DiagnosticSnapshot situation) {
		long lost = situation.past().times("lostCalls");
		if (lost == 0) {
			return List.of();
		}
		NotedCall example = oneWay(situation, Side.CLIENT);
		String text = "%s lost before the socket took %s%s: no caller learns of it.%s".formatted(wasOrWere(lost),
				(lost == 1) ? "it" : "them", when(situation, "lostCalls"), latest(example));
		return List.of(at(example,
				Finding.warning(text, "rpc.client.wait-for-instance",
						"The log has the reason (One-way call lost). Check that the client has an instance, "
								+ RETURN_A_RESULT)));
	}

	/** Finds dropped one-way calls of this server. */
	static List<Finding> dropped(DiagnosticSnapshot situation) {
		long dropped = situation.past().times("droppedCalls");
		if (dropped == 0) {
			return List.of();
		}
		NotedCall example = oneWay(situation, Side.SERVER);
		boolean waited = example != null && example.status() == RpcStatus.DEADLINE_EXCEEDED;
		String text = "%s dropped by this server before %s began%s: no caller learns of it.%s".formatted(
				wasOrWere(dropped), (dropped == 1) ? "it" : "they", when(situation, "droppedCalls"), latest(example));
		ThreadLimit limit = waited ? limit(situation, example) : null;
		String advice = waited
				? "Calls expire while they wait for a thread. " + ((limit != null) ? limit.advice() + " Add instances, "
						: "Look at the slowest methods; add threads or instances, ")
				: "The log has the reason (One-way call dropped). The server is overloaded or does not offer the method; add instances, ";
		return List.of(at(example, Finding.warning(text, waited ? property(limit) : "rpc.server.limits.in-flight-calls",
				advice + RETURN_A_RESULT)));
	}

	/** Finds calls that expired before they were sent or run. */
	static List<Finding> expired(DiagnosticSnapshot situation) {
		long expired = situation.past().times("expired");
		if (expired == 0) {
			return List.of();
		}
		boolean atClient = situation.server() == null;
		NotedCall example = mostExpired(situation, atClient ? Side.CLIENT : Side.SERVER);
		ThreadLimit limit = limit(situation, example);
		String text = "%s expired in the last %d minutes before %s %s, the latest %s ago%s.".formatted(
				Formats.count(expired, "call"), HistoryWindow.LENGTH.toMinutes(),
				(expired == 1) ? "it was" : "they were", atClient ? "sent" : "sent or started",
				Formats.time(situation.past().ago("expired")), mostly(example, limit));
		return List.of(atClient ? Finding.warning(text, null,
				"They waited in this client for longer than their timeout: for an instance, for a permit (max-pending-calls), for a grant of the server, or for memory for their arguments. The failed calls show the methods.")
			.at("calls")
				: Finding.warning(text, property(limit), "Calls wait for longer than their timeout. " + advice(limit,
						"Look at the slowest methods; add threads if these wait for other systems, add instances if they compute, or raise the timeout.")));
	}

	/** Returns a call of the method that has most of the noted expired calls. */
	private static @Nullable NotedCall mostExpired(DiagnosticSnapshot situation, Side side) {
		return situation.failed()
			.stream()
			.filter((each) -> each.side() == side && each.status() == RpcStatus.DEADLINE_EXCEEDED)
			.collect(Collectors.groupingBy((each) -> each.service() + "." + each.method()))
			.values()
			.stream()
			.max(Comparator.comparingInt(List::size))
			.map((calls) -> calls.get(0))
			.orElse(null);
	}

	private static String mostly(@Nullable NotedCall example, @Nullable ThreadLimit limit) {
		if (example == null) {
			return "";
		}
		return ", mostly %s.%s%s".formatted(example.service(), example.method(),
				(limit != null) ? ", which may use " + limit.amount() : "");
	}

	private static @Nullable ThreadLimit limit(DiagnosticSnapshot situation, @Nullable NotedCall call) {
		return (situation.server() != null && call != null)
				? ThreadLimit.of(situation.server(), call.service(), call.method()) : null;
	}

	private static String property(@Nullable ThreadLimit limit) {
		return (limit != null) ? limit.property() : "rpc.server.pool.max-threads";
	}

	private static String advice(@Nullable ThreadLimit limit, String otherwise) {
		return (limit != null) ? limit.advice() : otherwise;
	}

	private static String wasOrWere(long calls) {
		return (calls == 1) ? "1 one-way call was" : Formats.grouped(calls) + " one-way calls were";
	}

	private static String when(DiagnosticSnapshot situation, String name) {
		return ", in the last %d minutes, last %s ago".formatted(HistoryWindow.LENGTH.toMinutes(),
				Formats.time(situation.past().ago(name)));
	}

	private static @Nullable NotedCall oneWay(DiagnosticSnapshot situation, Side side) {
		return situation.failed()
			.stream()
			.filter((each) -> each.side() == side && each.oneWay())
			.findFirst()
			.orElse(null);
	}

	private static String latest(@Nullable NotedCall call) {
		return (call != null) ? " The latest was %s.%s: %s.".formatted(call.service(), call.method(), call.status())
				: "";
	}

	private static Finding at(@Nullable NotedCall call, Finding finding) {
		return (call != null) ? LatencyChecks.at(call.side(), call.service(), call.method(), finding) : finding;
	}

}
