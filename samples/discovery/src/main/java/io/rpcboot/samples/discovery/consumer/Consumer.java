package io.rpcboot.samples.discovery.consumer;

import io.rpcboot.samples.discovery.Greeting;
import io.rpcboot.spring.RpcReference;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Application {@code greeting-consumer}, with the profile {@code consumer}. */
@SpringBootApplication
@RestController
public class Consumer {

	private final Greeting greeting;

	Consumer(@RpcReference Greeting greeting) {
		this.greeting = greeting;
	}

	/**
	 * Starts the consumer.
	 * @param args for example {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(Consumer.class);
		application.setAdditionalProfiles("consumer");
		application.run(args);
	}

	/**
	 * Calls the service.
	 * @param name name of the person
	 * @return the greeting
	 */
	@GetMapping("/greet/{name}")
	public String greet(@PathVariable String name) {
		return this.greeting.greet(name);
	}

}
