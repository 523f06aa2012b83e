package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.metrics.history.HistoryValue;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.TimeSeriesTable;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfClient;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfRegistry;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.OfServer;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.RecentCalls;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Makes what findings look at; nothing is wrong with it unless a test says so. */
final class DiagnosticSnapshots {

	static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

	static final int STEP_MILLIS = 5000;

	private @Nullable OfRegistry registry;

	private List<ConnectionInfo> serverConnections = List.of();

	private PoolInfo pool = new PoolInfo(200, 0, 0, null);

	private List<ServiceInfo> services = List.of();

	private List<ConnectionInfo> clientConnections = List.of();

	private List<ReferenceInfo> references = List.of();

	private int pendingCalls;

	private int queuedCalls;

	private boolean hasServer = true;

	private RegistrationInfo presence = new RegistrationInfo(RegistrationInfo.Mode.ONLINE, 100, "", NOW);

	private List<TlsDescriptor> tls = List.of();

	private final Map<String, double[]> values = new HashMap<>();

	private boolean hasHistory = true;

	private List<MethodStats> methods = List.of();

	private List<NotedCall> failed = List.of();

	private Map<MethodStats, RecentCalls> recentCalls = Map.of();

	DiagnosticSnapshot build() {
		return new DiagnosticSnapshot(NOW, this.registry,
				this.hasServer ? new OfServer(this.serverConnections, this.pool, this.services, this.presence) : null,
				new OfClient(this.clientConnections, this.references, this.pendingCalls, 1000, this.queuedCalls),
				this.tls,
				HistoryWindow.of(this.hasHistory ? new TimeSeriesTable(STEP_MILLIS, new long[0], this.values) : null),
				this.methods, this.failed, this.recentCalls);
	}

	/** All findings that are said. */
	List<Finding> find() {
		return new Diagnostics().of(build()).said();
	}

	DiagnosticSnapshots presence(RegistrationInfo presence) {
		this.presence = presence;
		return this;
	}

	DiagnosticSnapshots registry(OfRegistry registry) {
		this.registry = registry;
		return this;
	}

	DiagnosticSnapshots serverConnections(ConnectionInfo... connections) {
		this.serverConnections = List.of(connections);
		return this;
	}

	DiagnosticSnapshots clientConnections(ConnectionInfo... connections) {
		this.clientConnections = List.of(connections);
		return this;
	}

	DiagnosticSnapshots pool(PoolInfo pool) {
		this.pool = pool;
		return this;
	}

	DiagnosticSnapshots service(String name, String method, Dispatch dispatch) {
		this.services = List.of(new ServiceInfo(ServiceId.parse(name), List.of(method), "hash", List.of("protostuff"),
				null, Map.of(), null, 0, List.of(dispatch), List.of(false), List.of(), 1, null, null));
		return this;
	}

	DiagnosticSnapshots services(ServiceInfo... services) {
		this.services = List.of(services);
		return this;
	}

	DiagnosticSnapshots tls(TlsDescriptor... tls) {
		this.tls = List.of(tls);
		return this;
	}

	DiagnosticSnapshots withoutServer() {
		this.hasServer = false;
		return this;
	}

	DiagnosticSnapshots references(ReferenceInfo... references) {
		this.references = List.of(references);
		return this;
	}

	DiagnosticSnapshots calls(int pending, int queued) {
		this.pendingCalls = pending;
		this.queuedCalls = queued;
		return this;
	}

	/** The same value in each interval of five minutes. */
	DiagnosticSnapshots past(String name, double value) {
		double[] all = new double[60];
		Arrays.fill(all, value);
		return past(name, all);
	}

	DiagnosticSnapshots past(String name, double[] values) {
		assertThat(HistoryValue.values()).extracting(HistoryValue::key).contains(name);
		this.values.put(name, values);
		return this;
	}

	DiagnosticSnapshots withoutHistory() {
		this.hasHistory = false;
		return this;
	}

	DiagnosticSnapshots methods(MethodStats... methods) {
		this.methods = List.of(methods);
		return this;
	}

	DiagnosticSnapshots failed(NotedCall... failed) {
		this.failed = List.of(failed);
		return this;
	}

	DiagnosticSnapshots recentCalls(MethodStats method, RecentCalls recentCalls) {
		this.recentCalls = Map.of(method, recentCalls);
		return this;
	}

	static ConnectionInfo connection(String remote, String application, Mode mode, double averageBatch, int pending) {
		return new ConnectionInfo(remote, Protocol.NATIVE, application, "", false, mode, averageBatch, 1000, 64, 64, 0,
				0, pending, 0, Map.of(), 0, 10, 0);
	}

	static ConnectionInfo holder(String remote, String application, long memoryBytes) {
		return new ConnectionInfo(remote, Protocol.NATIVE, application, "", false, Mode.AUTO, 1, 1000, 64, 64, 0, 0, 0,
				0, Map.of(), 0, 10, memoryBytes);
	}

	static ReferenceInfo reference(String service, Instance... instances) {
		return new ReferenceInfo(ServiceId.parse(service), Protocol.NATIVE, "zookeeper at zk1", "zookeeper", true,
				List.of(instances), 0, null);
	}

	static Instance instance(String host, State state, int pending, String problem) {
		return instance(host, state, pending, problem, "");
	}

	static Instance instance(String host, State state, int pending, String problem, String slowness) {
		return new Instance(new Endpoint(host, 9090), "stock", "id", state, 1, pending, problem, slowness, 100, "", "",
				0, null);
	}

	static MethodStats method(Side side, String service, String method, Duration p50, Duration p99) {
		return new MethodStats(side, service, method, 10, 0, 600, 0, p50.toNanos(), p99.toNanos(), p99.toNanos(), 0, 0,
				true);
	}

	static NotedCall failedCall(String peer, RpcStatus status, Duration before) {
		return new NotedCall(NOW.minus(before).toEpochMilli(), Side.CLIENT, "demo.Stock", "count()", peer, status,
				Duration.ofSeconds(3).toNanos(), 0, false, null, null, null, null);
	}

}
