package io.rpcboot.dashboard.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Connections and instances. */
final class FakePeers {

	/** What a peer may call itself. */
	static final String HOSTILE = "<img src=x onerror=\"document.title='taken'\">";

	private static final int MOST = 500;

	private static final String[] CALLERS = { "shop-web", "shop-mobile", "back-office", HOSTILE, "search-indexer" };

	private static final String[] CALLED = { "inventory", "payment", "customers", "pricing" };

	private static final String[] READY = { "READY", "" };

	private static final String[][] TROUBLE = {
			{ "INCOMPATIBLE", "of save(com.acme.order.Order) it has another version: order.Order.total is text there" },
			{ "BACKING_OFF", "cannot connect: connection refused" },
			{ "EJECTED", "38 % of its calls fail, elsewhere 0 %" }, { "DRAINING", "" }, { "CONNECTING", "" },
			{ "READY", "save(com.acme.order.Order) does not fit" } };

	private static final String[] WAITS = { "PRODUCER", "PEER", "WINDOW", "CONSUMER", "SOCKET", "END", "NOTHING" };

	private final int connections;

	private final int instances;

	FakePeers(int connections, int instances) {
		this.connections = connections;
		this.instances = instances;
	}

	Map<String, @Nullable Object> connections() {
		int shown = Math.min(MOST, this.connections);
		return Documents.of("server", list("server", shown), "client", list("client", Math.min(MOST, this.instances)),
				"leftOut", this.connections - shown);
	}

	private List<Map<String, @Nullable Object>> list(String side, int many) {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		boolean client = side.equals("client");
		String[] names = client ? CALLED : CALLERS;
		for (int index = 0; index < many; index++) {
			long granted = 40_000 + index * 17L;
			list.add(Documents.of("remote",
					client ? endpoint(index) : "10.1.%d.%d:%d".formatted(index / 200, index % 200 + 10, 40_000 + index),
					"application", names[index % names.length], "identity",
					(client || index % 2 == 0) ? "" : "spiffe://acme/" + names[index % names.length], "protocol",
					(index % 3 == 0) ? "GRPC" : "NATIVE", "encrypted", index % 2 != 0, "batching", "AUTO",
					"averageBatch", Documents.round(8 + 4 * Documents.noise(index)), "messages", 90_000 - index * 31L,
					"grantedCalls", granted, "usedCalls", granted - 170 + index % 40, "grantedBytes", 64L << 20,
					"usedBytes", 21L << 20, "pending", Math.max(0, 14 - index % 20), "held", 0, "flushes",
					Documents.of("DRAINED", 8200, "MESSAGES", 640, "BYTES", 41), "stalls", index % 3));
		}
		return list;
	}

	Map<String, @Nullable Object> streams() {
		return Documents.of("server", streams("server", "10.1.0.%d:40000"), "client",
				streams("client", "10.0.0.%d:9090"), "leftOut", 99_000);
	}

	private static List<Map<String, @Nullable Object>> streams(String side, String peer) {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		for (int index = 0; index < WAITS.length; index++) {
			boolean isSent = index % 2 == 0;
			Map<String, @Nullable Object> elements = Documents.of("count", 1000 * index, "bytes", 64_000L * index,
					"perSecond", 2.5 * index, "waitsFor", WAITS[index]);
			list.add(Documents.of("side", side, "number", index + 1, "service", "com.acme.Quotes", "method",
					"quotes(java.lang.String)", "peer", peer.formatted(index + 5), "ageMillis",
					3_600_000L - index * 1000L, "sent", isSent ? elements : null, "received",
					isSent ? null : elements));
		}
		return list;
	}

	Map<String, @Nullable Object> instances() {
		List<Map<String, @Nullable Object>> list = new ArrayList<>();
		for (int index = 0; index < this.instances; index++) {
			String[] trouble = (index < TROUBLE.length) ? TROUBLE[index] : READY;
			list.add(Documents.of("endpoint", endpoint(index), "application", CALLED[index % CALLED.length], "services",
					1, "state", trouble[0], "connections", trouble[0].equals("READY") ? 1 : 0, "pendingCalls",
					5 + index % 7, "problem", trouble[1], "weight", 100, "tag", (index == 3) ? "canary" : "", "calls",
					Documents.of("callsPerSecond", 40.5 + index, "p50Millis", 2.25, "p99Millis", 11.5, "failures",
							Documents.of("UNAVAILABLE", index % 3))));
		}
		return Documents.of("instances", list, "leftOut", 0);
	}

	private static String endpoint(int index) {
		return "10.0.%d.%d:9090".formatted(index / 200, index % 200 + 5);
	}

}
