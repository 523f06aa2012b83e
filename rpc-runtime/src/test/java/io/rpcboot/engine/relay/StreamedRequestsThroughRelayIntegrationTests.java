package io.rpcboot.engine.relay;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.engine.stream.StreamedRequestsIntegrationTests;
import io.rpcboot.engine.stream.Uploads;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;

/** Streams of callers pass through a relay as they do without. */
class StreamedRequestsThroughRelayIntegrationTests extends StreamedRequestsIntegrationTests {

	private final List<RpcRelay> relays = new ArrayList<>();

	@Override
	protected ReferenceOptions at(RpcServer called) {
		RpcRelay relay = Relays.to(called, Uploads.class, Unblocked.class);
		this.relays.add(relay);
		return Relays.at(relay);
	}

	/** Responses come from behind the relay: the limits of streams and resets hold. */
	@Override
	protected int manyUploads() {
		return 100;
	}

	@AfterEach
	void closeRelays() {
		this.relays.forEach((each) -> Eventually.until("no call is in a relay", () -> each.inFlightCalls() == 0));
		this.relays.forEach(RpcRelay::close);
	}

}
