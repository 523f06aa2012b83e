package io.rpcboot.benchmarks.webmvc;

import java.util.Map;

import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.FixedBenchService;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;
import io.rpcboot.benchmarks.workload.UserJson;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Spring MVC on Tomcat without settings, except that Tomcat speaks HTTP/2, too. Only a
 * server: its callers speak HTTP.
 */
final class WebMvcSystem implements RpcSystem {

	@Override
	public String name() {
		return "webmvc";
	}

	@Override
	public boolean supports(BenchCall call) {
		return false;
	}

	@Override
	public BenchServer startServer() {
		return new Server(
				new SpringApplicationBuilder(Application.class)
					.properties(Map.of("server.port", "0", "server.address", "127.0.0.1", "server.http2.enabled",
							"true", "spring.main.banner-mode", "off"))
					.run());
	}

	private record Server(ConfigurableApplicationContext context) implements BenchServer {

		@Override
		public int port() {
			return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Users.class)
	static class Application {

		@Bean
		JsonMapperBuilderCustomizer usersAsJsonOfProtobuf() {
			return (mapper) -> mapper.addMixIn(User.class, UserJson.class).addMixIn(Page.class, UserJson.OfPage.class);
		}

	}

	/** The two methods, as JSON of the measured contract has them. */
	@RestController
	@RequestMapping("/io.rpcboot.benchmarks.workload.BenchService")
	static class Users {

		private final BenchService service = new FixedBenchService();

		@PostMapping("/GetUser")
		Value<User> getUser(@RequestBody GetUser request) {
			return new Value<>(this.service.getUser(request.id()));
		}

		@PostMapping("/ListUser")
		Value<Page<User>> listUser(@RequestBody ListUser request) {
			return new Value<>(this.service.listUser(request.pageNo()));
		}

	}

	record GetUser(long id) {

	}

	record ListUser(int pageNo) {

	}

	record Value<T>(T value) {

	}

}
