package io.rpcboot.engine.relay;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.engine.stream.Feeds;
import io.rpcboot.engine.stream.StreamedResultsIntegrationTests;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;

/** Streams of results pass through a relay as they do without. */
class StreamedResultsThroughRelayIntegrationTests extends StreamedResultsIntegrationTests {

	private final List<RpcRelay> relays = new ArrayList<>();

	@Override
	protected ReferenceOptions at(RpcServer called) {
		RpcRelay relay = Relays.to(called, Feeds.class);
		this.relays.add(relay);
		return Relays.at(relay);
	}

	@AfterEach
	void closeRelays() {
		this.relays.forEach((each) -> Eventually.until("no call is in a relay", () -> each.inFlightCalls() == 0));
		this.relays.forEach(RpcRelay::close);
	}

}
