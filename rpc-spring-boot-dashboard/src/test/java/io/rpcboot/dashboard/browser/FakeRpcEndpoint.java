package io.rpcboot.dashboard.browser;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Answers as the endpoint {@code rpc} of an application that is invented. */
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

	@ReadOperation
	WebEndpointResponse<Object> document(@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable Long since) {
		Object document = switch (path[0]) {
			case "history" -> this.process.history().since((since != null) ? since : 0);
			case "services" -> (path.length > 1) ? this.process.service(path[1]) : this.process.services();
			case "references" -> (path.length > 1) ? this.process.reference(path[1]) : this.process.references();
			case "methods" ->
				(path.length > 3) ? this.process.method(path[1], path[2], path[3]) : this.process.methods();
			case "instances" ->
				(path.length > 1) ? this.process.peers().instance(path[1]) : this.process.peers().instances();
			case "connections" -> (path.length > 2) ? this.process.peers().connection(path[1], path[2])
					: this.process.peers().connections();
			case "calls" -> this.process.calls();
			case "settings" -> this.process.settings();
			default -> null;
		};
		return (document != null) ? new WebEndpointResponse<>(document)
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
