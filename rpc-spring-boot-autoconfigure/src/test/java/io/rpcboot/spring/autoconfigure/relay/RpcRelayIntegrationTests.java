package io.rpcboot.spring.autoconfigure.relay;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.RelayDescriptor;
import io.rpcboot.spring.actuate.endpoint.RpcEndpoint;
import io.rpcboot.spring.actuate.health.RpcHealthIndicator;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/** An application that is a relay by its properties alone. */
@Timeout(60)
class RpcRelayIntegrationTests {

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.service(Desk.class, (Desk) (name) -> name + " " + RpcContext.current().attachments().get("via"))
		.start();

	private ConfigurableApplicationContext application;

	/** Service behind the relay, of which its application knows nothing. */
	public interface Desk {

		String sign(String name);

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Gateway {

	}

	private Map<String, Object> properties() {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("rpc.relay.port", 0);
		properties.put("rpc.relay.routes[0].services", Desk.class.getName());
		properties.put("rpc.relay.routes[0].addresses", "127.0.0.1:" + this.server.port());
		return properties;
	}

	private RpcRelay run(Map<String, Object> properties) {
		this.application = new SpringApplicationBuilder(Gateway.class).web(WebApplicationType.NONE)
			.properties(Map.of("spring.main.banner-mode", "off"))
			.properties(properties)
			.run();
		return this.application.getBean(RpcRelay.class);
	}

	@AfterEach
	void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.server.close();
	}

	private static String sign(RpcRelay relay) {
		try (RpcClient client = RpcClient.builder().protocol(Protocol.GRPC).build()) {
			return client
				.reference(Desk.class, ReferenceOptions.defaults().withAddresses(List.of("127.0.0.1:" + relay.port())))
				.sign("Doug");
		}
	}

	@Test
	@PropertyEffect({ "rpc.relay.port", "rpc.relay.routes" })
	void calls_passThroughApplication_thatKnowsNoService() {
		Map<String, Object> properties = properties();
		properties.put("rpc.relay.routes[0].add-attachments.via", "gateway");
		assertThat(sign(run(properties))).isEqualTo("Doug gateway");
	}

	@Test
	void noRelay_withoutPort() {
		Map<String, Object> properties = properties();
		properties.remove("rpc.relay.port");
		assertThatExceptionOfType(NoSuchBeanDefinitionException.class).isThrownBy(() -> run(properties));
	}

	@Test
	void route_hasTimeout() throws Exception {
		Map<String, Object> properties = properties();
		properties.put("rpc.relay.routes[0].timeout", "1ns");
		RpcRelay relay = run(properties);
		assertThatExceptionOfType(RpcException.class)
			.isThrownBy(() -> CallOptions.with("a", "b").call(() -> sign(relay)))
			.satisfies((ex) -> assertThat(ex.status()).isIn(RpcStatus.DEADLINE_EXCEEDED, RpcStatus.UNAVAILABLE));
	}

	@Test
	void health_isDegraded_withoutInstance() {
		Map<String, Object> properties = properties();
		RpcRelay relay = run(properties);
		assertThat(sign(relay)).isEqualTo("Doug null");
		assertThat(health().getStatus().getCode()).isEqualTo("UP");
		this.server.close();
		await().atMost(Duration.ofSeconds(20)).until(() -> !relay.routes().get(0).isReady());
		assertThat(health().getStatus()).isEqualTo(RpcHealthIndicator.DEGRADED);
		assertThat(health().getDetails().get("relay").toString()).contains("routes[0] " + Desk.class.getName());
	}

	@Test
	void endpoint_showsRoutesWithInstances() {
		Map<String, Object> properties = properties();
		properties.put("management.endpoints.web.exposure.include", "rpc");
		RpcRelay relay = run(properties);
		assertThat(sign(relay)).isEqualTo("Doug null");
		Object document = this.application.getBean(RpcEndpoint.class).part(new String[] { "relay" }, null);
		assertThat(document).isInstanceOfSatisfying(RelayDescriptor.class, (shown) -> {
			assertThat(shown.servers()).isEqualTo(1);
			RelayDescriptor.Target target = shown.routes().get(0).services().get(0);
			assertThat(target.service()).isEqualTo(Desk.class.getName());
			assertThat(target.ready()).isTrue();
			assertThat(target.instances()).singleElement()
				.satisfies((each) -> assertThat(each.endpoint()).isEqualTo("127.0.0.1:" + this.server.port()));
		});
	}

	private Health health() {
		return this.application.getBean(RpcHealthIndicator.class).health();
	}

	@Test
	void wrongProperties_endStart_withNameAndRemedy() {
		Map<String, Object> properties = properties();
		properties.put("rpc.relay.routes[0].services", "shop.*");
		assertThat(failure(properties)).hasMessageContaining("rpc.relay.routes[0].services: 'shop.*'")
			.hasMessageContaining("without wildcards");
		properties = properties();
		properties.put("rpc.relay.routes[0].services", "");
		assertThat(failure(properties)).hasMessageContaining("rpc.relay.routes[0].services: none");
		properties = properties();
		properties.put("rpc.relay.routes[0].addresses", "no address");
		assertThat(failure(properties)).hasMessageContaining("rpc.relay.routes[0].addresses: 'no address'");
		properties = properties();
		properties.put("rpc.relay.routes[1].services", Desk.class.getName());
		properties.put("rpc.relay.routes[1].addresses", "127.0.0.1:" + this.server.port());
		assertThat(failure(properties)).hasMessageContaining("rpc.relay.routes[1].services: " + Desk.class.getName());
		assertThat(failure(Map.of("rpc.relay.port", 0))).hasMessageContaining("rpc.relay.routes: none");
		properties = properties();
		properties.put("rpc.relay.port", 70_000);
		assertThat(failure(properties)).hasMessageContaining("rpc.relay.port: 70000");
	}

	private Throwable failure(Map<String, Object> properties) {
		Throwable thrown = catchThrowable(() -> run(properties));
		while (thrown != null && !(thrown instanceof RpcConfigurationException)) {
			thrown = thrown.getCause();
		}
		return thrown;
	}

}
