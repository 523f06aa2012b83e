package io.rpcboot.engine.transport;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.TlsOptions;
import org.junit.jupiter.api.AfterEach;

/** The contract of calls holds behind a relay with mutual TLS at both sides. */
class GrpcThroughRelayOverMutualTlsIntegrationTests extends GrpcOverMutualTlsIntegrationTests {

	private final Map<RpcServer, RpcRelay> relays = new LinkedHashMap<>();

	@Override
	ReferenceOptions at(RpcServer called) {
		return Relays.at(this.relays.computeIfAbsent(called, this::start));
	}

	private RpcRelay start(RpcServer called) {
		TlsOptions tls = Objects.requireNonNull(tls());
		return Relays.to(List.of(Calls.class), ReferenceStates.at(called))
			.server(RpcServer.builder().bindAddress("127.0.0.1").tls(tls.withClientAuth(TlsOptions.ClientAuth.NEED)))
			.client(RpcClient.builder().tls(tls))
			.start();
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
		this.relays.values().forEach(RpcRelay::close);
	}

}
