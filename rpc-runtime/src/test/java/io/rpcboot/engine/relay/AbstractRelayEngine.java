package io.rpcboot.engine.relay;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.relay.RelayRoute;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/**
 * Relays between clients and servers, all on sockets. Whatever a test did: no call, no
 * memory and no buffer is left in a relay.
 */
@Timeout(120)
abstract class AbstractRelayEngine {

	private static LeakWatch leaks;

	final CallsImpl implementation = new CallsImpl();

	/** Levels of the side of the clients of the last relay. */
	final Accounts accounts = new Accounts();

	private final List<RpcRelay> relays = new ArrayList<>();

	private final List<AutoCloseable> closings = new ArrayList<>();

	@BeforeAll
	static void watchLeaks() {
		leaks = new LeakWatch();
	}

	@AfterAll
	static void noBufferIsLeft() {
		leaks.assertNoLeak();
		leaks.close();
	}

	RpcServer server() {
		return atEnd(serverBuilder().start());
	}

	RpcServerBuilder serverBuilder() {
		return RpcServer.builder().port(0).service(Calls.class, this.implementation);
	}

	RpcRelay relay(RelayRoute... routes) {
		return relay(RpcServer.builder(), routes);
	}

	RpcRelay relay(RpcServerBuilder options, RelayRoute... routes) {
		var builder = RpcRelay.builder().port(0).server(options.bindAddress("127.0.0.1").metrics(this.accounts));
		List.of(routes).forEach(builder::route);
		RpcRelay relay = builder.start();
		this.relays.add(relay);
		return relay;
	}

	static RelayRoute toCalls(ReferenceOptions target) {
		return Relays.route(List.of(Calls.class), target);
	}

	Http2Peer peer(RpcRelay relay) {
		return atEnd(Http2Peer.connect(relay.port()));
	}

	Calls calls(RpcRelay relay) {
		RpcClient client = atEnd(RpcClient.builder().protocol(Protocol.GRPC).maxFrameSize(16 * 1024 * 1024).build());
		return client.reference(Calls.class, Relays.at(relay));
	}

	<T extends AutoCloseable> T atEnd(T closed) {
		this.closings.add(0, closed);
		return closed;
	}

	void awaitInFlight(RpcRelay relay, int calls) {
		Eventually.until(calls + " calls are in the relay", () -> relay.inFlightCalls() == calls);
	}

	@AfterEach
	void nothingIsLeft() throws Exception {
		try {
			this.implementation.gate.countDown();
			this.implementation.futures.forEach((each) -> each.complete("late"));
			for (AutoCloseable each : this.closings) {
				each.close();
			}
			this.relays.forEach((each) -> awaitInFlight(each, 0));
			Eventually.until("no memory is in use: " + this.accounts,
					() -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) == 0
							&& this.accounts.of(Gauge.SERVER_MEMORY_OUTGOING) == 0);
		}
		finally {
			this.relays.forEach(RpcRelay::close);
		}
	}

}
