package io.rpcboot.engine.transport;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InProcessEngineIntegrationTests extends AbstractEngineContract {

	private static final EventLoopOptions EVENT_LOOP = EventLoopOptions.defaults()
		.withTransport(EventLoopOptions.Transport.IN_PROCESS)
		.withThreads(1);

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.IN_PROCESS;
	}

	@Test
	void inProcessPort_ignoresHost() {
		try (RpcServer server = server(7001).start();
				RpcClient client = RpcClient.builder().eventLoop(EVENT_LOOP).build()) {
			assertThat(server.port()).isEqualTo(7001);
			Calls calls = client.reference(Calls.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("orders.invalid", 7001)));
			assertThat(calls.greet("Doug")).isEqualTo("hello Doug");
		}
	}

	@Test
	void usedPort_isRefused_untilItsServerCloses() {
		try (RpcServer first = server(7002).start(); RpcServer second = server(7002).build()) {
			assertThat(first.port()).isEqualTo(7002);
			assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(second::bind)
				.withMessageContaining("7002 is in use");
		}
		try (RpcServer again = server(7002).start()) {
			assertThat(again.port()).isEqualTo(7002);
		}
	}

	private static RpcServerBuilder server(int port) {
		return RpcServer.builder().port(port).eventLoop(EVENT_LOOP).service(Calls.class, new CallsImpl());
	}

}
