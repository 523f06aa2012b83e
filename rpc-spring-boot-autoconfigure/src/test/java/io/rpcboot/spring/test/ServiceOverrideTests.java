package io.rpcboot.spring.test;

import io.rpcboot.ServiceId;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcService;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Properties of a service that a test has left out. */
class ServiceOverrideTests {

	private static final String PROPERTY = "rpc.server.services.Counter.max-threads=2";

	private static ListAssert<ServiceId> assertServices(RpcServer server) {
		return assertThat(server.services().stream().map((service) -> service.service()).toList());
	}

	@Nested
	@SpringBootTest(classes = Application.class, properties = PROPERTY,
			webEnvironment = SpringBootTest.WebEnvironment.NONE)
	@ExtendWith(OutputCaptureExtension.class)
	class LeftOut {

		@Test
		void propertiesOfMissingService_causeWarning(@Autowired RpcServer server, CapturedOutput output) {
			assertServices(server).containsExactly(ServiceId.parse(Greeter.class.getName()));
			assertThat(output).contains(
					"rpc.server.services: 'Counter' " + "(expected: the simple name of an offered interface: Greeter)");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@RpcService
		Greeter greeter() {
			return (name) -> name;
		}

	}

}
