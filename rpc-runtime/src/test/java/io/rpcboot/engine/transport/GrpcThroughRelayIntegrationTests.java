package io.rpcboot.engine.transport;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;

/** The contract of calls holds behind a relay, too. */
class GrpcThroughRelayIntegrationTests extends GrpcOverNioIntegrationTests {

	private final Map<RpcServer, RpcRelay> relays = new LinkedHashMap<>();

	@Override
	ReferenceOptions at(RpcServer server) {
		return Relays.at(this.relays.computeIfAbsent(server, (each) -> Relays.to(each, Calls.class)));
	}

	/** The relay may tell it before the client knows. */
	@Override
	String timedOut() {
		return "it may have executed";
	}

	@Override
	int calledPort() {
		return this.relays.values().iterator().next().port();
	}

	@AfterEach
	void closeRelays() {
		this.relays.values()
			.forEach((each) -> Eventually.until("no call is in a relay", () -> each.inFlightCalls() == 0));
		this.relays.values().forEach(RpcRelay::close);
	}

}
