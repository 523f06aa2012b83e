package io.rpcboot.spring.test;

import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/** A slice that knows nothing of this starter. */
@WebMvcTest(SliceTests.GreetingController.class)
@Import(SliceTests.GreetingController.class)
class SliceTests {

	@MockitoBean
	private Greeter greeter;

	@Autowired
	private MockMvcTester http;

	@Autowired
	private GreetingController controller;

	@Test
	void mock_replacesReference() {
		given(this.greeter.greet("Ann")).willReturn("mocked");
		assertThat(this.http.get().uri("/greeting")).hasBodyTextEqualTo("mocked");
	}

	@Test
	void reference_failsWhenCalled_withoutMock() {
		assertThat(this.controller.other).hasToString("rpcReference:io.rpcboot.spring.test.SliceTests$Other");
		assertThat(this.http.get().uri("/other")).hasFailed()
			.failure()
			.hasRootCauseMessage("@RpcReference of io.rpcboot.spring.test.SliceTests$Other: "
					+ "there is no RPC client in this application context");
	}

	@Test
	void slice_hasNoClientAndRegistry(@Autowired ObjectProvider<RpcClient> clients,
			@Autowired ObjectProvider<Registry> registries) {
		assertThat(clients.getIfAvailable()).isNull();
		assertThat(registries.getIfAvailable()).isNull();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@RestController
	static class GreetingController {

		private final Greeter greeter;

		@RpcReference
		private Other other;

		GreetingController(@RpcReference(timeout = "700ms") Greeter greeter) {
			this.greeter = greeter;
		}

		@GetMapping("/greeting")
		String greeting() {
			return this.greeter.greet("Ann");
		}

		@GetMapping("/other")
		String other() {
			return this.other.get();
		}

	}

	public interface Other {

		String get();

	}

}
