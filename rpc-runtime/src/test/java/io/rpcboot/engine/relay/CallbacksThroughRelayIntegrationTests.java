package io.rpcboot.engine.relay;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.engine.stream.CallbacksIntegrationTests;
import io.rpcboot.engine.stream.Reports;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;

/** Callbacks pass through a relay as they do without. */
class CallbacksThroughRelayIntegrationTests extends CallbacksIntegrationTests {

	private final List<RpcRelay> relays = new ArrayList<>();

	@Override
	protected ReferenceOptions at(RpcServer called) {
		RpcRelay relay = Relays.to(called, Reports.class);
		this.relays.add(relay);
		return Relays.at(relay);
	}

	@Override
	protected boolean speaks(Protocol protocol) {
		return protocol == Protocol.GRPC;
	}

	@AfterEach
	void closeRelays() {
		this.relays.forEach((each) -> Eventually.until("no call is in a relay", () -> each.inFlightCalls() == 0));
		this.relays.forEach(RpcRelay::close);
	}

}
