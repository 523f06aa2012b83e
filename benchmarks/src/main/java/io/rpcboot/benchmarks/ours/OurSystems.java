package io.rpcboot.benchmarks.ours;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.SystemProvider;
import io.rpcboot.benchmarks.tls.TlsFiles;

/**
 * This project without a setting, and with those whose effect is measured.
 */
public final class OurSystems implements SystemProvider {

	private static final Map<String, String> LOOP = Map.of("rpc.server.dispatch", "event-loop", "rpc.client.callbacks",
			"event-loop");

	private static final Map<String, String> SERIALIZERS = Map.of("rpc.server.serializers", "protostuff,json");

	@Override
	public List<RpcSystem> systems() {
		return Stream
			.<RpcSystem>of(new OurSystem("ours"), new OurSystem("ours-loop").with(LOOP),
					new OurSystem("ours-always").with(both("batching.mode", "always")),
					new OurSystem("ours-never").with(both("batching.mode", "never")),
					new OurSystem("ours-loop-always").with(LOOP).with(both("batching.mode", "always")),
					new OurSystem("ours-loop-never").with(LOOP).with(both("batching.mode", "never")),
					new OurSystem("ours-dispatch").with(Map.of("rpc.server.dispatch", "event-loop")),
					new OurSystem("ours-callbacks").with(Map.of("rpc.client.callbacks", "event-loop")),
					new OurSystem("ours-virtual").with(Map.of("rpc.server.dispatch", "virtual")),
					new OurSystem("ours-nio").with(both("event-loop.transport", "nio")),
					new OurSystem("ours-adaptive").with(both("socket.allocator", "adaptive")),
					new OurSystem("ours-unpooled").with(both("socket.allocator", "unpooled")),
					new OurSystem("ours-no-metrics").withoutMetrics(),
					new OurSystem("ours-context").with(Map.of(WithContext.SWITCH, "true")),
					new OurSystem("ours-tracing").with(Map.of(WithTracing.SWITCH, "true")),
					new OurSystem("ours-3").among(3), new OurSystem("ours-10").among(10),
					new OurSystem("ours-random-10").among(10).by("random"),
					new OurSystem("ours-round-robin-10").among(10).by("round-robin"),
					new OurSystem("ours-least-pending-10").among(10).by("least-pending"),
					new OurSystem("ours-power-of-two-10").among(10).by("power-of-two"),
					new OurSystem("ours-h2").overGrpc(), new OurSystem("ours-h2-loop").overGrpc().with(LOOP),
					new BesideOthers("ours-beside", new OurSystem("ours").with(SERIALIZERS),
							List.of(new OurSystem("ours-h2").overGrpc(),
									new OurSystem("ours-json").with(Map.of("rpc.client.serializer", "json")))),
					new OverHttp("ours-http", new OurSystem("ours")),
					new OverHttp("ours-http-loop", new OurSystem("ours-loop").with(LOOP)),
					new OurSystem("ours-tls-jdk").with(tls("jdk")),
					new OurSystem("ours-tls-openssl").with(tls("openssl")),
					new OurSystem("ours-block").with(Map.of("rpc.client.when-full", "block")),
					new OurSystem("ours-burst").with(Map.of("rpc.client.batching.mode", "always",
							"rpc.client.batching.max-messages", "100", "rpc.client.batching.max-delay", "50ms")))
			.toList();
	}

	/** Mutual TLS with the certificates of the run. */
	private static Map<String, String> tls(String engine) {
		Map<String, String> settings = new HashMap<>(both("ssl.bundle", "bench"));
		settings.putAll(both("ssl.engine", engine));
		settings.put("rpc.server.ssl.client-auth", "need");
		String folder = "file:${" + TlsFiles.PROPERTY + "}/";
		String bundle = "spring.ssl.bundle.pem.bench.";
		settings.put(bundle + "keystore.certificate", folder + "cert.pem");
		settings.put(bundle + "keystore.private-key", folder + "key.pem");
		settings.put(bundle + "truststore.certificate", folder + "ca.pem");
		return settings;
	}

	private static Map<String, String> both(String property, String value) {
		return Map.of("rpc.server." + property, value, "rpc.client." + property, value);
	}

}
