package io.rpcboot.spring.autoconfigure.server;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.rpcboot.context.RpcConnection;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.transport.RpcConnectionListener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("jdk25")
class ConnectionListenerBeansIntegrationTests {

	@Test
	void listeners_receiveEventsInOrder_onBothSides() {
		Events events;
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE,
				Map.of("spring.application.name", "app", "rpc.server.shutdown.grace-period", "1s"),
				Applications.GreeterService.class, Listeners.class, Caller.class)) {
			assertThat(context.getBean(Caller.class).greeter.greet("Doug")).isEqualTo("Hello Doug");
			events = context.getBean(Events.class);
			Applications.eventually(() -> events.told.size() == 4);
			assertThat(events.of("CLIENT")).containsExactly("first CLIENT connected to app",
					"second CLIENT connected to app");
			assertThat(events.of("SERVER")).containsExactly("first SERVER connected to app",
					"second SERVER connected to app");
		}
		assertThat(events.of("CLIENT")).hasSize(4).endsWith("first CLIENT closed", "second CLIENT closed");
		assertThat(events.of("SERVER")).hasSize(4).endsWith("first SERVER closed", "second SERVER closed");
	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

	static class Events {

		private final Queue<String> told = new ConcurrentLinkedQueue<>();

		private List<String> of(String side) {
			return this.told.stream().filter((event) -> event.contains(side)).toList();
		}

		private RpcConnectionListener listener(String name) {
			return new RpcConnectionListener() {
				@Override
				public void connected(RpcConnection connection) {
					Events.this.told
						.add("%s %s connected to %s".formatted(name, connection.side(), connection.application()));
				}

				@Override
				public void closed(RpcConnection connection, String reason) {
					Events.this.told.add("%s %s closed".formatted(name, connection.side()));
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		@Bean
		Events events() {
			return new Events();
		}

		@Bean
		@Order(2)
		RpcConnectionListener second(Events events) {
			return events.listener("second");
		}

		@Bean
		@Order(1)
		RpcConnectionListener first(Events events) {
			return events.listener("first");
		}

	}

}
