package io.rpcboot.engine.relay;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.Relays;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.relay.RelayRoute;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Calls and routes that a relay does not take. */
class RelayRefusalsIntegrationTests extends AbstractRelayEngine {

	private static final int UNIMPLEMENTED = 12;

	private static final int UNAVAILABLE = 14;

	private static final int FAILED_PRECONDITION = 9;

	private static final int DEADLINE_EXCEEDED = 4;

	@Test
	void unknownService_isUnimplemented_andNamesProperty() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		GrpcExchange call = peer(relay).open(GrpcBytes.request("/shop.Unknown/Get"), true);
		assertThat(call.status()).isEqualTo(UNIMPLEMENTED);
		assertThat(call.message()).isEqualTo(
				"the relay does not pass on service shop.Unknown (expected: one of rpc.relay.routes[n].services)");
		assertThat(call.field("rpc-executed")).isEqualTo("false");
	}

	@Test
	void unknownService_isNotFound_overConnect() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		GrpcExchange call = peer(relay)
			.open(GrpcBytes.request("/shop.Unknown/Get").set("content-type", "application/json"), true);
		call.await();
		assertThat(call.httpStatus()).isEqualTo("404");
		assertThat(new String(call.data())).contains("unimplemented", "rpc.relay.routes[n].services");
	}

	@Test
	void otherVersion_isRefused_withIndexOfRoute() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())).withVersions(List.of("2")));
		GrpcExchange call = peer(relay).open(GrpcBytes.request(Http2Peer.path("Greet")).set("rpc-version", "3"), true);
		assertThat(call.status()).isEqualTo(FAILED_PRECONDITION);
		assertThat(call.message()).contains("version '3'", "rpc.relay.routes[0]");
	}

	@Test
	void serviceWithoutInstance_isUnavailable_andDidNotExecute() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(Ports.free()).withWaitForInstance(Duration.ZERO)));
		assertThat(relay.routes().get(0).isReady()).isFalse();
		GrpcExchange call = peer(relay).call("Greet", GrpcBytes.text("x"));
		assertThat(call.status()).isEqualTo(UNAVAILABLE);
		assertThat(call.field("rpc-executed")).isEqualTo("false");
		assertThat(call.message()).contains("no instance takes calls");
	}

	@Test
	void callWithoutTime_isNotSent() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		GrpcExchange call = peer(relay).open(GrpcBytes.request(Http2Peer.path("Greet")).set("grpc-timeout", "0m"),
				false);
		assertThat(call.status()).isEqualTo(DEADLINE_EXCEEDED);
		assertThat(call.message()).contains("no time was left");
		assertThat(this.implementation.executed).hasValue(0);
	}

	@Test
	void nativeClient_isRefused() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		try (RpcClient client = RpcClient.builder().protocol(Protocol.NATIVE).build()) {
			Calls calls = client.reference(Calls.class, Relays.at(relay));
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("x"))
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
		}
	}

	@Test
	void http1_isRefused_withSentence() throws Exception {
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())));
		HttpResponse<String> response = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.build()
			.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/a.B/C".formatted(relay.port()))).build(),
					HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(505);
		assertThat(response.body()).contains("a relay passes on HTTP/2 alone");
	}

	@Test
	void circleOfRelays_ends_afterEightHops() throws Exception {
		int port = Ports.free();
		RpcRelay first = relay(toCalls(ReferenceStates.at(port)));
		RpcRelay second = atEnd(RpcRelay.builder()
			.port(port)
			.server(RpcServer.builder().bindAddress("127.0.0.1"))
			.route(toCalls(ReferenceStates.at(first.port())))
			.start());
		RpcException thrown = catchThrowableOfType(RpcException.class, () -> calls(first).greet("x"));
		assertThat(thrown).hasMessageContaining("has come through 8 relays").hasMessageContaining("in a circle");
		assertThat(second.inFlightCalls()).isZero();
	}

	@Test
	void relayItself_isNoTarget() throws Exception {
		int port = Ports.free();
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcRelay.builder().port(port).route(toCalls(ReferenceStates.at(port))).start())
			.withMessageContaining("rpc.relay.routes[0].addresses: 127.0.0.1:" + port)
			.withMessageContaining("this is the relay itself");
	}

	@Test
	void routes_mustNotShareCalls() throws Exception {
		ReferenceOptions target = ReferenceStates.at(Ports.free());
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcRelay.builder().route(toCalls(target)).route(toCalls(target)).build())
			.withMessageContaining("rpc.relay.routes[1].services: " + Calls.class.getName())
			.withMessageContaining("routes[0] has them");
		RpcRelay.builder()
			.route(toCalls(target).withAttachments(Map.of("tenant", "a")))
			.route(toCalls(target).withAttachments(Map.of("tenant", "b")))
			.route(Relays.route(List.of(Runnable.class), target))
			.build()
			.close();
	}

	@Test
	void relay_needsRoutes_andNames() throws Exception {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> RpcRelay.builder().build())
			.withMessageContaining("rpc.relay.routes: none");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> RelayRoute.to(List.of()))
			.withMessageContaining("services: none");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> RelayRoute.to(List.of("shop.*")))
			.withMessageContaining("without wildcards");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RelayRoute.to(List.of("a.B")).withAddedAttachments(Map.of("rpc-hops", "0")))
			.withMessageContaining("add-attachments: 'rpc-hops'");
	}

	@Test
	void attachments_chooseRoute() throws Exception {
		RpcServer other = atEnd(RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start());
		RpcRelay relay = relay(toCalls(ReferenceStates.at(server())).withAttachments(Map.of("tenant", "a")),
				toCalls(ReferenceStates.at(other)).withAttachments(Map.of("tenant", "b")));
		Calls calls = calls(relay);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("nobody"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.FAILED_PRECONDITION));
		assertThat(CallOptions.with("tenant", "a").call(() -> calls.greet("a"))).isEqualTo("hello a");
		assertThat(this.implementation.executed).hasValue(1);
	}

}
