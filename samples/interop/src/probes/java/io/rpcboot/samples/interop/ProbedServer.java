package io.rpcboot.samples.interop;

import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.security.RpcSecurity;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Serves {@link CheckService} and {@link StreamService} on a free port for probes and
 * pages, as the properties in the arguments say. With {@code --rules=permit} everybody
 * may call health by a rule, with {@code --rules=guard} known callers may.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ProbedServer {

	@Bean
	@RpcService
	CheckService checkService() {
		return new DefaultCheckService();
	}

	@Bean
	@RpcService
	StreamService streamService() {
		return new DefaultStreamService();
	}

	@Bean
	@ConditionalOnProperty("rules")
	RpcSecurity rpcSecurity(Environment environment) {
		return RpcSecurity.authorizeCalls((calls) -> {
			if ("permit".equals(environment.getProperty("rules"))) {
				calls.services("grpc.health.v1.Health").methods("Check", "Watch").permitAll();
			}
			calls.anyCall().authenticated();
		});
	}

	/** Entry point; see the class. */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(ProbedServer.class, args);
		System.out.println("listens on 127.0.0.1:" + context.getBean(RpcServer.class).port() + " ");
	}

}
