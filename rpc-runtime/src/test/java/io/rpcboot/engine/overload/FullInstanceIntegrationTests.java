package io.rpcboot.engine.overload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An instance that has as many calls under way as it takes. */
@Timeout(60)
class FullInstanceIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final List<CallsImpl> implementations = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		this.implementations.forEach((each) -> each.gate.countDown());
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private RpcServer server() {
		CallsImpl implementation = new CallsImpl();
		this.implementations.add(implementation);
		RpcServer server = RpcServer.builder().port(0).maxInFlightCalls(1).service(Calls.class, implementation).start();
		this.open.add(server);
		return server;
	}

	private RpcClient client() {
		RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).connectionsPerEndpoint(1).build();
		this.open.add(client);
		return client;
	}

	/** Somebody else has a call there that does not end. */
	private void fill(RpcServer server) {
		Calls calls = client().reference(Calls.class, ReferenceStates.at(server));
		calls.laterAtGate("x");
		Eventually.until("it is full",
				() -> server.connections().stream().mapToInt((each) -> each.pending()).sum() == 1);
	}

	@Test
	void refusedCall_goesToOtherInstance_whenOneIsFull() {
		RpcServer full = server();
		RpcServer other = server();
		fill(full);
		RpcClient client = client();
		Calls calls = client.reference(Calls.class, ReferenceStates.at(full.port(), other.port()));
		Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
		for (int i = 0; i < 50; i++) {
			assertThat(calls.greet("x")).isEqualTo("hello x");
			assertThat(calls.later("y").join()).isNotNull();
		}
	}

	@Test
	void call_failsAfterOneRound_whenAllInstancesAreFull() {
		List<RpcServer> servers = List.of(server(), server(), server());
		servers.forEach(this::fill);
		RpcClient client = client();
		Calls calls = client.reference(Calls.class,
				ReferenceStates.at(servers.get(0).port(), servers.get(1).port(), servers.get(2).port()));
		Eventually.until("all are connected", () -> ReferenceStates.ready(client) == 3);
		for (int i = 1; i <= 5; i++) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.greet("x"))
				.matches((ex) -> ex.status() == RpcStatus.RESOURCE_EXHAUSTED && !ex.mayHaveExecuted());
			long sent = client.connections().stream().mapToLong((each) -> each.usedCalls()).sum();
			assertThat(sent).isEqualTo(3L * i);
		}
	}

}
