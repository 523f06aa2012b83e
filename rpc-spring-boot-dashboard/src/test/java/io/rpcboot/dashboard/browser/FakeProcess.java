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

	private final boolean isInTrouble;

	private final FakePeers peers;

	private final FakeHistory history;

	FakeProcess(int services, int connections, boolean isInTrouble) {
		this.services = services;
		this.isInTrouble = isInTrouble;
		this.peers = new FakePeers(connections, Math.max(6, services / 10), isInTrouble);
		this.history = new FakeHistory(isInTrouble);
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
				Documents.of("description", "zookeeper at zk1:2181,zk2:2181,zk3:2181", "state",
						this.isInTrouble ? "DISCONNECTED" : "CONNECTED", "since", now - 42_000),
				"server", server(now), "client", client(now, references.size()), "references",
				references.subList(0, Math.min(100, references.size())), "referencesLeftOut",
				Math.max(0, references.size() - 100), "methods",
				methodList(now).subList(0, Math.min(20, 4 * this.services)), "findings", findings());
	}

	private Map<String, @Nullable Object> server(long now) {
		return Documents.of("state", "ACCEPTING", "port", 9090, "advertisedEndpoint", "10.0.0.3:9090", "location",
				"/rpc/apps/order-service", "inFlightCalls", 38, "pool",
				Documents.of("maxThreads", 200, "busy", this.isInTrouble ? 171 : 34, "waiting",
						this.isInTrouble ? 12 : 0, "usedUp", null),
				"connections", 24, "services", this.services, "callsPerSecond", alive(5214.2, now), "errorsPerSecond",
				this.isInTrouble ? 1.4 : 0, "p50Millis", 1.42, "p99Millis", 9.31, "memory",
				Documents.of("used", 21_400_000, "limit", 134_217_728), "loops",
				Documents.of("threads", 8, "busyShare", 0.34, "pendingTasks", 3), "batch", 11.2, "batching", "AUTO");
	}

	private Map<String, @Nullable Object> client(long now, int references) {
		return Documents.of("pendingCalls", 61, "maxPendingCalls", 10_000, "queuedCalls", 0, "connections", 9,
				"references", references, "callsPerSecond", alive(3104.7, now), "errorsPerSecond",
				this.isInTrouble ? 3.8 : 0, "p50Millis", 2.61, "p99Millis", 24.8, "memory",
				Documents.of("used", 9_100_000, "limit", 67_108_864), "loops",
				Documents.of("threads", 8, "busyShare", 0.22, "pendingTasks", 1), "batch", 6.4, "batching", "AUTO");
	}

	private static double alive(double value, long now) {
		return Documents.round(value * (1 + Documents.noise(now / 5000) / 20));
	}

	private List<Map<String, @Nullable Object>> findings() {
		if (!this.isInTrouble) {
			return List.of();
		}
		return List.of(
				Documents.of("severity", "WARNING", "text", "The registry has been away for 42 s.", "property", null,
						"advice", "Calls go to the instances that were known; changes are not seen. Look at ZooKeeper.",
						"link", null),
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

	@Nullable Map<String, @Nullable Object> service(String service) {
		for (int index = 0; index < this.services; index++) {
			if (name(index).equals(service)) {
				return Documents.of("service", service, "signatures", List.of(METHODS), "contractHash",
						"9f2c71d04be8a613", "serializers", List.of("protostuff", "json"), "maxThreads", 150,
						"methodMaxThreads", Map.of(), "calls", 9_000_000L / (index + 1), "dispatch",
						List.of("POOL", "POOL", "POOL", "POOL"), "methods",
						methodsOf("server", service, index, System.currentTimeMillis()).subList(0, 3));
			}
		}
		return null;
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
			boolean away = this.isInTrouble && index == 0;
			list.add(Documents.of("service", called(index), "source", "zookeeper at zk1:2181,zk2:2181,zk3:2181",
					"ready", !away, "waitingCalls", away ? 7 : 0, "instances", 3, "readyInstances", away ? 0 : 3));
		}
		return list;
	}

	private static String called(int index) {
		return (index < CALLED.length) ? CALLED[index]
				: "com.acme.remote.part%d.Remote%dService".formatted(index % 9, index);
	}

	@Nullable Map<String, @Nullable Object> reference(String service) {
		return referenceList().stream()
			.filter((reference) -> service.equals(reference.get("service")))
			.findFirst()
			.map((reference) -> {
				reference.put("instances", ((List<?>) this.peers.instances().get("instances")).subList(0, 3));
				reference.put("signatures", List.of(METHODS));
				reference.put("methods", methodsOf("client", service, 1, System.currentTimeMillis()));
				return reference;
			})
			.orElse(null);
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
			boolean failing = this.isInTrouble && seed == 1 && index == 2;
			list.add(Documents.of("side", side, "service", service, "method", METHODS[index], "callsPerSecond", rate,
					"errorsPerSecond", failing ? 3.2 : 0.0, "p50Millis", p50, "p99Millis", failing ? 480.02 : p50 * 6.1,
					"maxMillis", failing ? 501.4 : p50 * 21, "calls", Math.round(rate * 5400), "errors",
					failing ? 812 : 0, "tracked", seed < 8));
		}
		return list;
	}

	@Nullable Map<String, @Nullable Object> method(String side, String service, String method) {
		long now = System.currentTimeMillis();
		return methodList(now).stream()
			.filter((one) -> side.equals(one.get("side")) && service.equals(one.get("service"))
					&& method.equals(one.get("method")))
			.findFirst()
			.map((one) -> Documents.of("stats", one, "series", series(now), "slowest",
					call(side, service, method, "OK", now, 5), "failed",
					this.isInTrouble ? call(side, service, method, "DEADLINE_EXCEEDED", now, 3) : List.of()))
			.orElse(null);
	}

	private static Map<String, @Nullable Object> series(long now) {
		List<Long> times = new ArrayList<>();
		List<Long> calls = new ArrayList<>();
		List<Long> errors = new ArrayList<>();
		List<Double> p50 = new ArrayList<>();
		List<Double> p99 = new ArrayList<>();
		for (long time = now / 5000 * 5000 - 179 * 5000; time <= now; time += 5000) {
			double noise = Documents.noise(time / 5000);
			times.add(time);
			calls.add(Math.round(2400 + 300 * noise));
			errors.add((noise > 0.9) ? 4L : 0L);
			p50.add(Documents.round(1.2 + 0.2 * noise));
			p99.add(Documents.round(7 + 2 * noise));
		}
		return Documents.of("stepMillis", 5000, "times", times, "calls", calls, "errors", errors, "p50Millis", p50,
				"p99Millis", p99);
	}

	Map<String, @Nullable Object> calls() {
		long now = System.currentTimeMillis();
		List<Map<String, @Nullable Object>> failed = new ArrayList<>();
		if (this.isInTrouble) {
			failed.addAll(call("client", CALLED[1], METHODS[2], "DEADLINE_EXCEEDED", now, 8));
			failed.addAll(call("server", NAMES[0], METHODS[1], "APPLICATION", now - 60_000, 4));
		}
		return Documents.of("slowest", call("client", CALLED[0], METHODS[0], "OK", now, 12), "failed", failed);
	}

	private static List<Map<String, @Nullable Object>> call(String side, String service, String method, String status,
			long now, int many) {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		for (int index = 0; index < many; index++) {
			list.add(Documents.of("at", now / 5000 * 5000 - index * 7300L, "side", side, "service", service, "method",
					method, "peer", "10.0.0.%d:9090".formatted(5 + index % 3), "status", status, "millis",
					Documents.round(501.4 - index * 23.7)));
		}
		return list;
	}

	Map<String, @Nullable Object> settings() {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		list.add(Documents.of("property", "rpc.client.timeout", "value", "500ms", "origin",
				"class path resource [application.properties] - 3:20"));
		list.add(Documents.of("property", "rpc.server.port", "value", "9090", "origin", "default"));
		list.add(Documents.of("property", "rpc.server.advertised-address", "value", "", "origin", "default"));
		return Documents.of("settings", list);
	}

}
