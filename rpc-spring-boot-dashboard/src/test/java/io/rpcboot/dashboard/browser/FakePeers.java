package io.rpcboot.dashboard.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** Connections and instances. */
final class FakePeers {

	/** What a peer may call itself. */
	static final String HOSTILE = "<img src=x onerror=\"document.title='taken'\">";

	private static final int MOST = 500;

	private static final String[] CALLERS = { "shop-web", "shop-mobile", "back-office", HOSTILE, "search-indexer" };

	private static final String[] CALLED = { "inventory", "payment", "customers", "pricing" };

	private final int connections;

	private final int instances;

	private final boolean isInTrouble;

	FakePeers(int connections, int instances, boolean isInTrouble) {
		this.connections = connections;
		this.instances = instances;
		this.isInTrouble = isInTrouble;
	}

	Map<String, @Nullable Object> connections() {
		int shown = Math.min(MOST, this.connections);
		return Documents.of("server", list("server", shown), "client", list("client", Math.min(MOST, this.instances)),
				"leftOut", this.connections - shown);
	}

	@Nullable Map<String, @Nullable Object> connection(String side, String remote) {
		List<Map<String, @Nullable Object>> found = list(side, MOST).stream()
			.filter((connection) -> remote.equals(connection.get("remote")))
			.toList();
		return found.isEmpty() ? null : Documents.of("side", side, "remote", remote, "connections", found);
	}

	private List<Map<String, @Nullable Object>> list(String side, int many) {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		boolean client = side.equals("client");
		String[] names = client ? CALLED : CALLERS;
		for (int index = 0; index < many; index++) {
			long granted = 40_000 + index * 17L;
			list.add(Documents.of("remote",
					client ? endpoint(index) : "10.1.%d.%d:%d".formatted(index / 200, index % 200 + 10, 40_000 + index),
					"application", names[index % names.length], "batching", "AUTO", "averageBatch",
					Documents.round(8 + 4 * Documents.noise(index)), "messages", 90_000 - index * 31L, "grantedCalls",
					granted, "usedCalls", granted - 170 + index % 40, "grantedBytes", 64L << 20, "usedBytes", 21L << 20,
					"pending", Math.max(0, 14 - index % 20), "held", 0, "flushes",
					Documents.of("DRAINED", 8200, "MESSAGES", 640, "BYTES", 41), "stalls", index % 3));
		}
		return list;
	}

	Map<String, @Nullable Object> instances() {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		for (int index = 0; index < this.instances; index++) {
			Map<String, @Nullable Object> instance = Objects.requireNonNull(instance(endpoint(index)));
			instance.put("services", 1);
			list.add(instance);
		}
		return Documents.of("instances", list, "leftOut", 0);
	}

	@Nullable Map<String, @Nullable Object> instance(String endpoint) {
		for (int index = 0; index < this.instances; index++) {
			if (endpoint(index).equals(endpoint)) {
				boolean away = this.isInTrouble && index == 2;
				return Documents.of("endpoint", endpoint, "application", CALLED[index % CALLED.length], "services",
						List.of("com.acme.stock.StockService"), "state", away ? "BACKING_OFF" : "READY", "connections",
						away ? 0 : 1, "pendingCalls", away ? 0 : 5 + index % 7, "problem",
						away ? "cannot connect: connection refused; next attempt in 4 s" : "", "weight", 100);
			}
		}
		return null;
	}

	private static String endpoint(int index) {
		return "10.0.%d.%d:9090".formatted(index / 200, index % 200 + 5);
	}

}
