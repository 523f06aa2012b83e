package io.rpcboot.spring.actuate.endpoint;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.MethodStatsDescriptor;
import io.rpcboot.spring.actuate.descriptor.PoolDescriptor;
import io.rpcboot.spring.actuate.descriptor.ReferenceDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ClientDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.LoopsDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.MemoryDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.RegistryDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ServerDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ServerState;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfClient;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfRegistry;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.RecentCalls;
import io.rpcboot.spring.actuate.findings.Diagnostics;
import io.rpcboot.spring.actuate.findings.ErrorChecks;
import io.rpcboot.spring.actuate.findings.FindingHistory;
import io.rpcboot.spring.actuate.findings.HistoryWindow;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import io.rpcboot.transport.ConnectionInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * Report of the summary. Reads the state once as a {@link DiagnosticSnapshot}, from which
 * both the checks and the document are made.
 *
 * @since 0.1.0
 */
public final class SummaryReport {

	static final int MOST_REFERENCES = 100;

	static final int MOST_METHODS = 20;

	/** Most methods whose recent calls are read. */
	private static final int MOST_FAILING = 20;

	/** Most methods that checks examine. */
	private static final int MOST_CHECKED = 500;

	private final RpcBeans beans;

	private final ApplicationContext context;

	private final Clock clock;

	private final Diagnostics diagnostics = new Diagnostics();

	private final FindingHistory findingHistory = new FindingHistory();

	SummaryReport(RpcBeans beans, ApplicationContext context, Clock clock) {
		this.beans = beans;
		this.context = context;
		this.clock = clock;
	}

	SummaryDescriptor describe() {
		DiagnosticSnapshot situation = snapshot();
		List<Finding> findings = check(situation);
		List<ReferenceDescriptor.Line> references = ReferencesReport
			.lines((situation.client() != null) ? situation.client().references() : List.of());
		return new SummaryDescriptor(situation.now().toEpochMilli(),
				this.context.getEnvironment().getProperty("spring.application.name", "").strip(), StarterVersion.get(),
				System.getProperty("java.version"), this.context.getStartupDate(), registry(situation.registry()),
				server(situation), client(situation), situation.tls(),
				references.subList(0, Math.min(MOST_REFERENCES, references.size())),
				Math.max(0, references.size() - MOST_REFERENCES),
				situation.past().isKnown() ? situation.methods()
					.stream()
					.filter(MethodsReport::wasCalled)
					.limit(MOST_METHODS)
					.map(MethodStatsDescriptor::of)
					.toList() : null,
				findings, this.findingHistory.ended(situation.now()));
	}

	/** Runs the checks, so that findings have their start time. */
	void check() {
		check(snapshot());
	}

	private List<Finding> check(DiagnosticSnapshot situation) {
		return this.findingHistory.record(this.diagnostics.of(situation), situation.now());
	}

	private DiagnosticSnapshot snapshot() {
		Instant now = this.clock.instant();
		RpcHistory history = this.beans.history();
		Registry registry = this.beans.registry();
		List<MethodStats> methods = (history != null) ? history.busiest(MOST_CHECKED) : List.of();
		return new DiagnosticSnapshot(now,
				(registry != null) ? new OfRegistry(registry.kind(), registry.description(), registry.state(),
						registry.stateSince(), registry.problem()) : null,
				serverState(), clientState(), this.beans.tls(now), HistoryWindow.of(history, now.toEpochMilli()),
				methods, (history != null) ? history.failed() : List.of(),
				(history != null) ? recentCalls(history, methods, now) : Map.of());
	}

	private static Map<MethodStats, RecentCalls> recentCalls(RpcHistory history, List<MethodStats> methods,
			Instant now) {
		long since = now.minus(HistoryWindow.LENGTH).toEpochMilli();
		long recent = now.minus(DiagnosticSnapshot.RECENT).toEpochMilli();
		Map<MethodStats, RecentCalls> result = new HashMap<>();
		methods.stream()
			.filter(ErrorChecks::mayFail)
			.limit(MOST_FAILING)
			.forEach((each) -> history.method(each.side(), each.service(), each.method(), since)
				.ifPresent((series) -> result.put(each, RecentCalls.of(series, recent))));
		return result;
	}

	private @Nullable OfServer serverState() {
		RpcServer server = this.beans.server();
		return (server != null)
				? new OfServer(server.connections(), server.pool(), server.services(), server.presence()) : null;
	}

	private @Nullable OfClient clientState() {
		List<RpcClient> clients = this.beans.clients();
		if (clients.isEmpty()) {
			return null;
		}
		List<ConnectionInfo> connections = clients.stream().flatMap((each) -> each.connections().stream()).toList();
		return new OfClient(connections, this.beans.references(),
				clients.stream().mapToInt(RpcClient::pendingCalls).sum(),
				clients.stream().mapToInt((each) -> each.info().maxPendingCalls()).sum(),
				clients.stream().mapToInt(RpcClient::queuedCalls).sum());
	}

	private static @Nullable RegistryDescriptor registry(@Nullable OfRegistry registry) {
		return (registry != null) ? new RegistryDescriptor(registry.description(), registry.state(),
				(registry.since() != null) ? registry.since().toEpochMilli() : null,
				registry.problem().isEmpty() ? null : registry.problem()) : null;
	}

	private @Nullable ServerDescriptor server(DiagnosticSnapshot situation) {
		RpcServer server = this.beans.server();
		OfServer seen = situation.server();
		if (server == null || seen == null) {
			return null;
		}
		RegistrationInfo presence = seen.presence();
		boolean isOut = presence.mode() != Mode.ONLINE;
		ServerState state = state(this.beans.lifecycle(), presence);
		HistoryWindow past = situation.past();
		boolean isBound = state != ServerState.DOWN;
		return new ServerDescriptor(state, isOut ? presence.reason() : null,
				isOut ? presence.since().toEpochMilli() : null, presence.weight(), isBound ? server.port() : null,
				isBound ? server.advertisedEndpoint().toString() : null, server.registeredLocation(),
				server.inFlightCalls(), server.openStreams(), PoolDescriptor.of(seen.pool()), seen.connections().size(),
				seen.services().size(), rate(past.mean("serverCalls")), rate(past.mean("serverErrors")),
				rate(past.last("serverP50")), rate(past.last("serverP99")), memory(past, "server"),
				loops(past, "server"), rate(past.mean("serverBatch")), batching(seen.connections()));
	}

	public static ServerState state(@Nullable RpcServerLifecycle lifecycle, RegistrationInfo presence) {
		if (lifecycle == null || !lifecycle.isRunning()) {
			return ServerState.DOWN;
		}
		if (lifecycle.isDraining()) {
			return ServerState.DRAINING;
		}
		return switch (presence.mode()) {
			case ONLINE -> ServerState.ACCEPTING;
			case OFFLINE -> ServerState.OFFLINE;
			case DRAINED -> ServerState.DRAINED;
		};
	}

	private @Nullable ClientDescriptor client(DiagnosticSnapshot situation) {
		RpcClient client = this.beans.client();
		OfClient seen = situation.client();
		if (client == null || seen == null) {
			return null;
		}
		HistoryWindow past = situation.past();
		return new ClientDescriptor(seen.pendingCalls(), seen.maxPendingCalls(), seen.queuedCalls(),
				this.beans.clients().stream().mapToInt(RpcClient::openStreams).sum(), seen.connections().size(),
				seen.references().size(), rate(past.mean("clientCalls")), rate(past.mean("clientErrors")),
				rate(past.last("clientP50")), rate(past.last("clientP99")), memory(past, "client"),
				loops(past, "client"), rate(past.mean("clientBatch")), client.batching().mode().name());
	}

	/**
	 * Returns the batching mode of the connection with most messages; null without a
	 * connection.
	 */
	private static @Nullable String batching(List<ConnectionInfo> connections) {
		return connections.stream()
			.max(Comparator.comparing(ConnectionInfo::messages))
			.map((each) -> each.batching().name())
			.orElse(null);
	}

	private static @Nullable MemoryDescriptor memory(HistoryWindow past, String side) {
		Double used = past.last(side + "Memory");
		Double limit = past.last(side + "MemoryLimit");
		return (used != null && limit != null) ? new MemoryDescriptor(Math.round(used), Math.round(limit)) : null;
	}

	private static @Nullable LoopsDescriptor loops(HistoryWindow past, String side) {
		Double threads = past.last(side + "Loops");
		Double busy = past.mean(side + "LoopsBusy");
		Double tasks = past.last(side + "LoopTasks");
		if (threads == null && busy == null && tasks == null) {
			return null;
		}
		return new LoopsDescriptor((threads != null) ? (int) Math.round(threads) : null, rate(busy),
				(tasks != null) ? Math.round(tasks) : null);
	}

	private static @Nullable Double rate(@Nullable Double value) {
		return (value != null) ? MethodStatsDescriptor.rate(value) : null;
	}

}
