package io.rpcboot.samples.discovery.provider;

import io.rpcboot.samples.discovery.Greeting;
import io.rpcboot.spring.RpcService;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Application {@code greeting-provider}, with the profile {@code provider}. */
@SpringBootApplication
public class Provider {

	/**
	 * Starts a provider.
	 * @param args for example {@code --rpc.server.port=9091}
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(Provider.class);
		application.setAdditionalProfiles("provider");
		application.run(args);
	}

	@RpcService
	static class DefaultGreeting implements Greeting {

		private final int port;

		DefaultGreeting(@Value("${rpc.server.port}") int port) {
			this.port = port;
		}

		@Override
		public String greet(String name) {
			return "Hello " + name + " from " + this.port;
		}

	}

}
