package io.rpcboot.spring.actuate.findings;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.RecentCalls;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfClient;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;
import org.jspecify.annotations.Nullable;

/**
 * Checks for methods that fail.
 *
 * @since 0.1.0
 */
public final class ErrorChecks {

	/**
	 * Least number of calls for a finding: failed ones of the last
	 * {@link HistoryWindow#LENGTH}, recent ones for a share of failures, all since the
	 * start for a slow method.
	 */
	static final int ENOUGH_CALLS = 10;

	/** Fraction of failed calls from which on a method is reported. */
	static final double FAILING_SHARE = 0.05;

	/** Least time of the rates of {@link MethodStats}, in seconds. */
	private static final int RATE_SECONDS = 30;

	private ErrorChecks() {
	}

	static List<Finding> failing(DiagnosticSnapshot situation) {
		return situation.methods()
			.stream()
			.filter((each) -> mayFail(each) && failedEnough(each, situation))
			.filter((each) -> share(each, situation) >= FAILING_SHARE)
			.filter((each) -> !isSaidOtherwise(each, situation))
			.sorted(Comparator.comparingDouble(MethodStats::errorsPerSecond).reversed())
			.map((each) -> failing(each, situation))
			.toList();
	}

	/**
	 * Returns true if at least {@link #ENOUGH_CALLS} calls of a method failed since the
	 * start, and at least {@link #FAILING_SHARE} of those that ended in the last 30 to 60
	 * seconds. The recent calls of such a method show whether it still fails.
	 */
	public static boolean mayFail(MethodStats method) {
		return method.errors() >= ENOUGH_CALLS && method.callsPerSecond() > 0
				&& method.errorsPerSecond() >= FAILING_SHARE * method.callsPerSecond();
	}

	/**
	 * Returns true if at least {@link #ENOUGH_CALLS} calls failed in the last
	 * {@link HistoryWindow#LENGTH}. Without a time series the rate decides:
	 * {@code errorsPerSecond * RATE_SECONDS >= ENOUGH_CALLS}.
	 */
	private static boolean failedEnough(MethodStats method, DiagnosticSnapshot situation) {
		RecentCalls recentCalls = situation.recentCalls().get(method);
		return ((recentCalls != null) ? recentCalls.failures()
				: method.errorsPerSecond() * RATE_SECONDS) >= ENOUGH_CALLS;
	}

	/** Finds retries that the retry budget denied. */
	static List<Finding> deniedRetries(DiagnosticSnapshot situation) {
		long denied = situation.past().times("deniedRetries", HistoryWindow.MINUTE);
		if (denied == 0) {
			return List.of();
		}
		return List.of(Finding.warning(
				"%s of idempotent methods %s not retried in the last minute, last %s ago: the retry budget is exhausted."
					.formatted(Formats.count(denied, "failed call"), (denied == 1) ? "was" : "were",
							Formats.time(situation.past().ago("deniedRetries"))),
				"rpc.client.retry.budget",
				"Calls fail at most instances, so another attempt rarely helps. Fix the cause; a larger budget adds load to failing servers.")
			.at("calls"));
	}

	private static Finding failing(MethodStats method, DiagnosticSnapshot situation) {
		Ending ending = Ending.of(method, situation);
		if (ending != null && ending.status() == RpcStatus.CANCELLED) {
			return givenUp(method, situation, ending);
		}
		String text = String.format(Locale.ROOT, "%s of the calls of %s fail at this %s, %.1f in a second%s.",
				Formats.percent(Math.min(1, share(method, situation))), LatencyChecks.name(method),
				(method.side() == Side.CLIENT) ? "client" : "server", rate(method, situation),
				(ending != null) ? ": %s, %s".formatted(ending.status(), ending.meaning()) : "");
		String advice = (ending != null) ? ending.advice()
				: "Look at the failed calls: status and peer show where they fail.";
		boolean isOfCaller = ending != null && ending.isOfCaller();
		return LatencyChecks.at(method,
				isOfCaller ? Finding.warning(text, null, advice) : Finding.error(text, null, advice));
	}

	private static Finding givenUp(MethodStats method, DiagnosticSnapshot situation, Ending ending) {
		List<NotedCall> cancelled = situation.failed()
			.stream()
			.filter((each) -> isOf(each, method) && each.status() == RpcStatus.CANCELLED)
			.toList();
		long[] times = cancelled.stream().mapToLong(NotedCall::nanos).sorted().toArray();
		String text = String.format(Locale.ROOT,
				"%s of the calls of %s were given up by their callers (%.1f in a second)%s, after %s (median).",
				Formats.percent(Math.min(1, share(method, situation))), LatencyChecks.name(method),
				rate(method, situation), caller(cancelled, situation), Formats.time(times[times.length / 2]));
		return LatencyChecks.at(method, Finding.warning(text, null, ending.advice()));
	}

	/** Returns the application that gave most calls up; empty if it is unknown. */
	private static String caller(List<NotedCall> cancelled, DiagnosticSnapshot situation) {
		OfServer server = situation.server();
		if (server == null) {
			return "";
		}
		Map<String, String> applications = new HashMap<>();
		server.connections().forEach((each) -> applications.put(each.remote(), each.application()));
		return cancelled.stream()
			.filter((each) -> each.side() == Side.SERVER)
			.map((each) -> applications.getOrDefault(each.peer(), ""))
			.filter((each) -> !each.isEmpty())
			.collect(Collectors.groupingBy((each) -> each, Collectors.counting()))
			.entrySet()
			.stream()
			.max(Map.Entry.comparingByValue())
			.map((each) -> ", mostly " + each.getKey())
			.orElse("");
	}

	private static boolean isOf(NotedCall call, MethodStats method) {
		return call.side() == method.side() && call.service().equals(method.service())
				&& call.method().equals(method.method());
	}

	private static double share(MethodStats method, DiagnosticSnapshot situation) {
		RecentCalls recentCalls = recentCalls(method, situation);
		if (recentCalls == null) {
			return method.errorsPerSecond() / method.callsPerSecond();
		}
		return recentCalls.isOver() ? 0 : (double) recentCalls.errors() / recentCalls.calls();
	}

	private static double rate(MethodStats method, DiagnosticSnapshot situation) {
		RecentCalls recentCalls = recentCalls(method, situation);
		return (recentCalls != null) ? recentCalls.errors() / (double) DiagnosticSnapshot.RECENT.toSeconds()
				: method.errorsPerSecond();
	}

	/**
	 * Returns the recent calls of a method; null if they are too few, so that the rates
	 * of the last minute are used.
	 */
	private static @Nullable RecentCalls recentCalls(MethodStats method, DiagnosticSnapshot situation) {
		RecentCalls recentCalls = situation.recentCalls().get(method);
		return (recentCalls != null && recentCalls.calls() >= ENOUGH_CALLS) ? recentCalls : null;
	}

	/**
	 * Returns true if the finding about a service without an instance covers the failures
	 * of a method.
	 */
	private static boolean isSaidOtherwise(MethodStats method, DiagnosticSnapshot situation) {
		OfClient client = situation.client();
		Ending ending = Ending.of(method, situation);
		return client != null && method.side() == Side.CLIENT && ending != null
				&& ending.status() == RpcStatus.UNAVAILABLE
				&& client.references()
					.stream()
					.anyMatch((each) -> each.service().toString().equals(method.service()) && !each.isReady()
							&& !each.isConnecting());
	}

	/**
	 * Most frequent outcome of the failed calls of a method.
	 *
	 * @param status the status
	 * @param isClient true if this process is the client
	 * @param isUnsent true if most of these calls were not sent
	 */
	private record Ending(RpcStatus status, boolean isClient, boolean isUnsent) {

		static @Nullable Ending of(MethodStats method, DiagnosticSnapshot situation) {
			List<NotedCall> failed = situation.failed().stream().filter((each) -> isOf(each, method)).toList();
			return failed.stream()
				.collect(Collectors.groupingBy(NotedCall::status, Collectors.counting()))
				.entrySet()
				.stream()
				.max(Map.Entry.comparingByValue())
				.map((most) -> new Ending(most.getKey(), method.side() == Side.CLIENT,
						failed.stream()
							.filter((each) -> each.status() == most.getKey() && each.peer().isEmpty())
							.count() * 2 > most.getValue()))
				.orElse(null);
		}

		/** Returns true if any caller of this server can bring it about. */
		boolean isOfCaller() {
			return !this.isClient && switch (this.status) {
				case UNKNOWN, INTERNAL, UNAVAILABLE, DATA_LOSS, APPLICATION -> false;
				default -> true;
			};
		}

		String meaning() {
			return switch (this.status) {
				case OK, DECLARED -> "no failure";
				case CANCELLED -> "their callers gave up";
				case UNKNOWN -> "the implementation failed and said no more";
				case ALREADY_EXISTS -> "they create what exists already";
				case ABORTED -> "they conflict with each other or with other calls";
				case OUT_OF_RANGE -> "they ask for something beyond the end of the data";
				case DATA_LOSS -> "the implementation found data that is lost or corrupt";
				case INVALID_ARGUMENT -> "the arguments cannot be sent, are too large or are not understood";
				case DEADLINE_EXCEEDED -> (this.isClient && !this.isUnsent) ? "no answer came in time"
						: "they expired before they " + (this.isClient ? "were sent" : "ended");
				case NOT_FOUND -> "the service is not offered there";
				case PERMISSION_DENIED -> "their callers may not make them";
				case UNAUTHENTICATED -> "their callers have not proved who they are";
				case RESOURCE_EXHAUSTED -> "a limit of calls or of memory is reached";
				case FAILED_PRECONDITION, UNIMPLEMENTED -> "client and server have different versions of the interface";
				case INTERNAL -> "the result cannot be sent, or the engine has failed";
				case UNAVAILABLE -> this.isClient ? "no instance took them, or the connection was lost"
						: "the server takes no more calls";
				case APPLICATION -> "the implementation throws an exception that it does not declare";
			};
		}

		String advice() {
			return switch (this.status) {
				case OK, DECLARED, CANCELLED -> "Look at the failed calls: how long had they waited?";
				case INVALID_ARGUMENT, INTERNAL ->
					this.isClient ? "The message of the exception in the log of the caller names the type or the limit."
							: "The message of the exception that the client gets names the type or the limit.";
				case UNKNOWN, ALREADY_EXISTS, ABORTED, OUT_OF_RANGE, DATA_LOSS ->
					"The implementation chose this status: its message is in the exception of the caller.";
				case DEADLINE_EXCEEDED -> late();
				case NOT_FOUND, FAILED_PRECONDITION, UNIMPLEMENTED ->
					"Deploy the same version of the interface on both sides, or correct version and group.";
				case PERMISSION_DENIED, UNAUTHENTICATED -> this.isClient
						? "The message of the exception has the reason; the log of the server names the caller."
						: "Rules, lists, annotations or an interceptor refuse them: the log (Call refused) names the callers.";
				case RESOURCE_EXHAUSTED -> "The message of the exception in the log of the caller names the limit.";
				case UNAVAILABLE ->
					this.isClient ? "Look at the instances: which of them come and go?" : "Does it shut down?";
				case APPLICATION -> this.isClient ? "The log of the server has the stack trace (Undeclared exception)."
						: "The log has the stack trace (Undeclared exception).";
			};
		}

		private String late() {
			if (!this.isClient) {
				return "Look at the slowest calls, and whether calls wait for a thread.";
			}
			return this.isUnsent
					? "They wait in this client: for an instance, for a permit (max-pending-calls), for a grant of the server, or for memory for their arguments."
					: "Are the failed calls all of one instance? Its dashboard shows whether the method or the wait for a thread takes the time.";
		}

	}

}
