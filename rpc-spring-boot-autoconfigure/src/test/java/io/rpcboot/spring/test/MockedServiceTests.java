package io.rpcboot.spring.test;

import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/** The only bean of an interface is a service, and a test has a mock of it. */
@SpringBootTest(classes = MockedServiceTests.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = "rpc.server.port=0")
class MockedServiceTests {

	@MockitoBean
	private Greeter mock;

	@Autowired
	private Greeter bean;

	@Autowired
	private RpcServer server;

	@Test
	void mock_isOfferedAsService() {
		given(this.mock.greet("Ann")).willReturn("mocked");
		assertThat(this.bean.greet("Ann")).isEqualTo("mocked");
		assertThat(this.server.services()).extracting(ServiceInfo::service)
			.allSatisfy((service) -> assertThat(service.name()).isEqualTo(Greeter.class.getName()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(GreeterService.class)
	static class Application {

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "hello " + name;
		}

	}

}
