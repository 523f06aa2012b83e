package io.rpcboot.samples.discovery.consumer;

import io.rpcboot.samples.discovery.Greeting;
import io.rpcboot.spring.RpcReference;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The application {@code greeting-consumer}: profile {@code consumer}. */
@SpringBootApplication
@RestController
public class Consumer {

	private final Greeting greeting;

	Consumer(@RpcReference Greeting greeting) {
		this.greeting = greeting;
	}

	/**
	 * Start it.
	 * @param args for example {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(Consumer.class);
		application.setAdditionalProfiles("consumer");
		application.run(args);
	}

	/**
	 * Call the service.
	 * @param name who is greeted
	 * @return what the service says
	 */
	@GetMapping("/greet/{name}")
	public String greet(@PathVariable String name) {
		return this.greeting.greet(name);
	}

}
