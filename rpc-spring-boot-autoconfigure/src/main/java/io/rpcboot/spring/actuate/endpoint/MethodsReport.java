package io.rpcboot.spring.actuate.endpoint;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.spring.actuate.descriptor.CallDescriptor;
import io.rpcboot.spring.actuate.descriptor.MethodStatsDescriptor;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** Report of methods and calls, read from the history. */
final class MethodsReport {

	private final RpcBeans beans;

	private final ConnectionsReport connections;

	MethodsReport(RpcBeans beans) {
		this.beans = beans;
		this.connections = new ConnectionsReport(beans);
	}

	/** Returns the methods that were called, busiest first; null without a history. */
	All all() {
		RpcHistory history = this.beans.history();
		return new All((history != null) ? describe(history.methods()) : null);
	}

	/** Returns the methods of a service; null without a history. */
	@Nullable List<MethodStatsDescriptor> of(Side side, String service) {
		RpcHistory history = this.beans.history();
		return (history != null) ? describe(history.methods(side, service)) : null;
	}

	/** Returns the called methods of a side as {@code service/method}. */
	List<String> names(Side side) {
		RpcHistory history = this.beans.history();
		return (history == null) ? List.of()
				: history.methods()
					.stream()
					.filter((each) -> each.side() == side && wasCalled(each))
					.map((each) -> each.service() + "/" + each.method())
					.toList();
	}

	/** Returns a method; null if it was not called or there is no history. */
	MethodStatsDescriptor.@Nullable Details one(Side side, String serviceName, String methodName) {
		RpcHistory history = this.beans.history();
		if (history == null) {
			return null;
		}
		String service = ElementNames
			.service(names(side).stream().map((each) -> each.substring(0, each.indexOf('/'))).toList(), serviceName);
		if (service == null) {
			return null;
		}
		List<MethodStats> called = history.methods(side, service).stream().filter(MethodsReport::wasCalled).toList();
		String method = ElementNames.method(called.stream().map(MethodStats::method).toList(), methodName);
		return called.stream()
			.filter((each) -> each.method().equals(method))
			.findFirst()
			.map((stats) -> details(history, stats))
			.orElse(null);
	}

	private MethodStatsDescriptor.Details details(RpcHistory history, MethodStats stats) {
		return new MethodStatsDescriptor.Details(MethodStatsDescriptor.of(stats),
				history.method(stats.side(), stats.service(), stats.method(), 0)
					.map(MethodStatsDescriptor.Series::of)
					.orElse(null),
				describe(history.slowest().stream().filter((each) -> isOf(each, stats))),
				describe(history.failed().stream().filter((each) -> isOf(each, stats))));
	}

	private static boolean isOf(NotedCall call, MethodStats stats) {
		return call.side() == stats.side() && call.service().equals(stats.service())
				&& call.method().equals(stats.method());
	}

	/** Returns slow and failed calls; null without a history. */
	CallDescriptor.Noted calls() {
		RpcHistory history = this.beans.history();
		if (history == null) {
			return new CallDescriptor.Noted(null, null);
		}
		return new CallDescriptor.Noted(describe(history.slowest().stream()), describe(history.failed().stream()));
	}

	/** Describes calls, with what their connections know if these are still open. */
	private List<CallDescriptor> describe(Stream<NotedCall> calls) {
		Map<Side, Map<String, ConnectionInfo>> open = new EnumMap<>(Side.class);
		return calls
			.map((each) -> CallDescriptor.of(each,
					open.computeIfAbsent(each.side(), this.connections::byRemote).get(each.peer())))
			.toList();
	}

	private static List<MethodStatsDescriptor> describe(List<MethodStats> methods) {
		return methods.stream().filter(MethodsReport::wasCalled).map(MethodStatsDescriptor::of).toList();
	}

	/**
	 * Returns true if a method was called. The history lists methods before their first
	 * call and tracks them from that call on.
	 */
	static boolean wasCalled(MethodStats method) {
		return method.tracked() || method.calls() > 0;
	}

	/**
	 * The list of methods.
	 *
	 * @param methods busiest first, null without a history
	 */
	record All(@Nullable List<MethodStatsDescriptor> methods) {
	}

}
