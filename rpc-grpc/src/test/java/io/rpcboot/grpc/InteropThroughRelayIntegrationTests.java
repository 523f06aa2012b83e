package io.rpcboot.grpc;

import java.util.concurrent.Executors;

import io.grpc.testing.integration.TestServiceGrpc;
import org.junit.jupiter.api.BeforeAll;

/** The client of grpc-java meets a relay in front of the server. */
class InteropThroughRelayIntegrationTests extends InteropIntegrationTests {

	@BeforeAll
	static void start() {
		executor = Executors.newScheduledThreadPool(1);
		peer = HostedPeer.ofInteropBehindRelay(executor);
		client = TestServiceGrpc.newBlockingStub(peer.channel);
	}

}
