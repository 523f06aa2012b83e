package io.rpcboot.dashboard.browser;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Answers as the endpoint {@code rpc} of an application that is invented, with lists but
 * nothing of one thing.
 */
@Endpoint(id = "rpc")
class FakeRpcEndpoint {

	private final FakeProcess process;

	FakeRpcEndpoint(FakeProcess process) {
		this.process = process;
	}

	@ReadOperation
	Object summary() {
		return this.process.summary();
	}

	private static Map<String, @Nullable Object> tracedCall() {
		return Documents.of("at", System.currentTimeMillis(), "side", "client", "service", "com.acme.StockService",
				"method", "count(java.lang.String)", "peer", "10.0.0.5:9090", "protocol", "NATIVE", "application",
				"inventory", "caller", null, "status", "OK", "millis", 512.5, "oneWay", false, "traceId",
				"4bf92f3577b34da6a3ce929d0e0e4736");
	}

	private static Map<String, @Nullable Object> servedCall() {
		return Documents.of("at", System.currentTimeMillis(), "side", "server", "service", "com.acme.OrderService",
				"method", "find(java.lang.String)", "peer", "10.1.0.10:40000", "protocol", "GRPC", "application",
				FakePeers.HOSTILE, "caller", FakePeers.HOSTILE, "status", "INTERNAL", "millis", 2.5, "oneWay", false);
	}

	@ReadOperation
	WebEndpointResponse<Object> document(@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable Long since) {
		Object document = (path.length > 1) ? null : switch (path[0]) {
			case "history" -> this.process.history().since((since != null) ? since : 0);
			case "services" -> this.process.services();
			case "references" -> this.process.references();
			case "methods" -> this.process.methods();
			case "instances" -> this.process.peers().instances();
			case "connections" -> this.process.peers().connections();
			case "streams" -> this.process.peers().streams();
			case "calls" -> Documents.of("slowest", List.of(tracedCall()), "failed", List.of(servedCall()));
			default -> null;
		};
		return (document != null) ? new WebEndpointResponse<>(document)
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
