package io.rpcboot.spring.autoconfigure.environment;

import java.util.Map;
import java.util.Set;

import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** Properties that change while the application runs. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentChangeListenerTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	private EnvironmentChangeListener listener(RpcServer... servers) {
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		for (RpcServer each : servers) {
			beans.addBean("rpcServer", each);
		}
		return new EnvironmentChangeListener(this.environment, beans.getBeanProvider(RpcServer.class));
	}

	@Test
	void listener_hearsEventOfSpringCloud_andNoOther() {
		assertThat(listener().supportsEventType(EnvironmentChangeEvent.class)).isTrue();
		assertThat(listener().supportsEventType(ContextRefreshedEvent.class)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "7, 7", "10000, 10000", ", 100", "0, 40", "many, 40" })
	void weight_isApplied_ifItIsValid(String weight, int expected) {
		if (weight != null) {
			this.environment.getPropertySources()
				.addFirst(new MapPropertySource("file", Map.of("rpc.server.weight", weight)));
		}
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.registry(new InMemoryRegistry())
			.service(Runnable.class, () -> {
			})
			.start()) {
			server.weight(40, "test");
			listener(server).onApplicationEvent(new EnvironmentChangeEvent(Set.of("rpc.server.weight")));
			assertThat(server.presence().weight()).isEqualTo(expected);
		}
	}

	@Test
	void otherProperties_areNamed_becauseTheyNeedRestart(CapturedOutput output) {
		listener().onApplicationEvent(new EnvironmentChangeEvent(Set.of("rpc.client.timeout", "rpc.server.weight",
				"spring.application.name", "rpc.client.retry.budget")));
		assertThat(output).contains("Properties changed that take effect with the next start of this application: "
				+ "rpc.client.retry.budget, rpc.client.timeout");
	}

}
