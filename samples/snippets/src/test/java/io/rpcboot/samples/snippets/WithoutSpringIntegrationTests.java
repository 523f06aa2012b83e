package io.rpcboot.samples.snippets;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the snippet of docs/dependencies.md. */
@ExtendWith(OutputCaptureExtension.class)
class WithoutSpringIntegrationTests {

	@Test
	void call_isAnswered_withoutSpring(CapturedOutput output) {
		try (RpcServer server = RpcServer.builder()
			.service(GreetingService.class, new DefaultGreetingService())
			.port(0)
			.start(); RpcClient client = RpcClient.builder().build()) {
			GreetingService greetings = client.reference(GreetingService.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
			System.out.println(greetings.greet("world"));
		}
		assertThat(output).contains("Hello world");
	}

	/** A contract. */
	public interface GreetingService {

		String greet(String name);

	}

	private static final class DefaultGreetingService implements GreetingService {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

}
