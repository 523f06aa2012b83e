package io.rpcboot.dashboard.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** What an invented application would say of itself. */
final class FakeProcess {

	private static final String[] NAMES = { "com.acme.order.OrderService", "com.acme.order.CartService",
			"com.acme.user.UserService:2.0" };

	private static final String[] CALLED = { "com.acme.stock.StockService", "com.acme.payment.PaymentService@eu",
			"com.acme.customer.CustomerService", "com.acme.price.PriceService" };

	private static final String[] METHODS = { "find(java.lang.String)", "list(int,int)", "save(com.acme.order.Order)",
			"count()" };

	private final long startedAt = System.currentTimeMillis() - 93 * 60_000;

	private final int services;

	private final FakePeers peers;

	private final FakeHistory history;

	FakeProcess(int services, int connections) {
		this.services = services;
		this.peers = new FakePeers(connections, Math.max(6, services / 10));
		this.history = new FakeHistory();
	}

	FakePeers peers() {
		return this.peers;
	}

	FakeHistory history() {
		return this.history;
	}

	Map<String, @Nullable Object> summary() {
		long now = System.currentTimeMillis();
		List<Map<String, @Nullable Object>> references = referenceList();
		return Documents.of("at", now, "application", "order-service", "version", "0.1.0", "java", "21.0.4",
				"startedAt", this.startedAt, "registry",
				Documents.of("description", "zookeeper at zk1:2181,zk2:2181,zk3:2181", "state", "CONNECTED", "since",
						this.startedAt),
				"server", server(now), "client", client(now, references.size()), "references",
				references.subList(0, Math.min(100, references.size())), "referencesLeftOut",
				Math.max(0, references.size() - 100), "methods",
				methodList(now).subList(0, Math.min(20, 4 * this.services)), "findings", findings(), "tls", tls());
	}

	private Map<String, @Nullable Object> server(long now) {
		return Documents.of("state", "ACCEPTING", "port", 9090, "advertisedEndpoint", "10.0.0.3:9090", "location",
				"/rpc/apps/order-service", "inFlightCalls", 38, "openStreams", 7, "pool",
				Documents.of("maxThreads", 200, "busy", 171, "waiting", 12, "usedUp", null), "connections", 24,
				"services", this.services, "callsPerSecond", alive(5214.2, now), "errorsPerSecond", 1.4, "p50Millis",
				1.42, "p99Millis", 9.31, "memory", Documents.of("used", 21_400_000, "limit", 134_217_728), "loops",
				Documents.of("threads", 8, "busyShare", 0.34, "pendingTasks", 3), "batch", 11.2, "batching", "AUTO");
	}

	private Map<String, @Nullable Object> client(long now, int references) {
		return Documents.of("pendingCalls", 61, "maxPendingCalls", 10_000, "queuedCalls", 0, "openStreams", 7,
				"connections", 9, "references", references, "callsPerSecond", alive(3104.7, now), "errorsPerSecond",
				3.8, "p50Millis", 2.61, "p99Millis", 24.8, "memory",
				Documents.of("used", 9_100_000, "limit", 67_108_864), "loops",
				Documents.of("threads", 8, "busyShare", 0.22, "pendingTasks", 1), "batch", 6.4, "batching", "AUTO");
	}

	private static double alive(double value, long now) {
		return Documents.round(value * (1 + Documents.noise(now / 5000) / 20));
	}

	static List<Map<String, @Nullable Object>> tls() {
		return List.of(
				Documents.of("side", "server", "bundle", "own", "mode", "required", "engine", "jdk", "subject",
						"CN=order-service", "names", List.of("order-service", "10.0.0.3"), "notAfter",
						1_900_000_000_000L, "state", "VALID", "problem", null, "clearTextConnections", Map.of()),
				Documents.of("side", "client", "bundle", "partners", "mode", "required", "engine", "jdk", "subject",
						"CN=order-service", "names", List.of(), "notAfter", 1_800_000_000_000L, "state", "EXPIRING",
						"problem", FakePeers.HOSTILE, "clearTextConnections", Map.of()));
	}

	private List<Map<String, @Nullable Object>> findings() {
		return List.of(Documents.of("severity", "WARNING", "text",
				"The event loops of the server worked for 93 % of the last minute.", "property",
				"rpc.server.event-loop.threads", "advice", "Give them more threads if there are cores.", "link", null),
				Documents.of("severity", "ERROR", "text",
						"PaymentService takes 480 ms at p99, and its callers wait 500 ms: 3.2 calls per second time out.",
						"property", "rpc.client.references.PaymentService.timeout", "advice",
						"Find out what is slow there, or raise", "link",
						"#/references/com.acme.payment.PaymentService%40eu"),
				Documents.of("severity", "NOTE", "text",
						"The average batch is 1.0 with 200 callers: the mode is never.", "property",
						"rpc.client.batching.mode", "advice", "Leave out", "link", "#/connections"));
	}

	Map<String, @Nullable Object> services() {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		for (int index = 0; index < this.services; index++) {
			list.add(Documents.of("service", name(index), "methods", METHODS.length, "callsPerSecond",
					Documents.round(2400.0 / (index + 1)), "errorsPerSecond", 0, "p99Millis", 8.5 + index % 5, "calls",
					9_000_000L / (index + 1)));
		}
		return Documents.of("services", list);
	}

	private static String name(int index) {
		return (index < NAMES.length) ? NAMES[index]
				: "com.acme.generated.part%d.Part%dService".formatted(index % 9, index);
	}

	Map<String, @Nullable Object> references() {
		return Documents.of("references", referenceList());
	}

	private List<Map<String, @Nullable Object>> referenceList() {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		int many = Math.max(CALLED.length, this.services);
		for (int index = 0; index < many; index++) {
			boolean away = index == 0;
			list.add(Documents.of("service", called(index), "source", "zookeeper at zk1:2181,zk2:2181,zk3:2181",
					"ready", !away, "waitingCalls", away ? 7 : 0, "instances", 3, "readyInstances", away ? 0 : 3,
					"retries", (index % 2 == 0) ? Documents.of("left", away ? 1 : 40, "most", 50) : null));
		}
		return list;
	}

	private static String called(int index) {
		return (index < CALLED.length) ? CALLED[index]
				: "com.acme.remote.part%d.Remote%dService".formatted(index % 9, index);
	}

	Map<String, @Nullable Object> methods() {
		return Documents.of("methods", methodList(System.currentTimeMillis()));
	}

	private List<Map<String, @Nullable Object>> methodList(long now) {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		for (int index = 0; index < this.services; index++) {
			list.addAll(methodsOf("server", name(index), index, now));
			list.addAll(methodsOf("client", called(index), index, now));
		}
		list.sort((left, right) -> Double.compare((Double) right.get("callsPerSecond"),
				(Double) left.get("callsPerSecond")));
		return list;
	}

	private List<Map<String, @Nullable Object>> methodsOf(String side, String service, int seed, long now) {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		for (int index = 0; index < METHODS.length; index++) {
			double rate = alive((side.equals("server") ? 1900.0 : 1200.0) / (1 + seed * 1.7 + index * 2.3), now);
			double p50 = 0.4 + index * 0.9 + seed % 5;
			boolean failing = seed == 1 && index == 2;
			list.add(Documents.of("side", side, "service", service, "method", METHODS[index], "callsPerSecond", rate,
					"errorsPerSecond", failing ? 3.2 : 0.0, "p50Millis", p50, "p99Millis", failing ? 480.02 : p50 * 6.1,
					"maxMillis", failing ? 501.4 : p50 * 21, "calls", Math.round(rate * 5400), "errors",
					failing ? 812 : 0, "tracked", seed < 8));
		}
		return list;
	}

}
