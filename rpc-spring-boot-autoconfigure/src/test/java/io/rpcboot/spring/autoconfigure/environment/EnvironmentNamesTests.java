package io.rpcboot.spring.autoconfigure.environment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.RpcClient;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** Environment variables that have underscores inside a name. */
@ExtendWith(OutputCaptureExtension.class)
class EnvironmentNamesTests {

	private final Map<String, Object> variables = new LinkedHashMap<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.client.warm-up=0")
		.withInitializer((context) -> process(context.getEnvironment()))
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	private void process(ConfigurableEnvironment environment) {
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, this.variables));
		new EnvironmentNames((destination) -> destination.get()).postProcessEnvironment(environment,
				new SpringApplication());
	}

	private StandardEnvironment environment() {
		StandardEnvironment environment = new StandardEnvironment();
		process(environment);
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			RPC_CLIENT_REFERENCES_STOCK_SERVICE_TIMEOUT, rpc.client.references.stockservice.timeout
			rpc_client_references_stock_service_timeout, rpc.client.references.stockservice.timeout
			RPC_CLIENT_REFERENCES_A_B_C_WAITFORINSTANCE, rpc.client.references.abc.wait-for-instance
			RPC_CLIENT_REFERENCES_A_B_WAIT_FOR_INSTANCE, rpc.client.references.ab.wait-for-instance
			RPC_CLIENT_REFERENCES_A_B_BATCHING_MAX_BYTES, rpc.client.references.ab.batching.max-bytes
			RPC_CLIENT_REFERENCES_A_B_RETRY_MAX_ATTEMPTS, rpc.client.references.ab.retry.max-attempts
			RPC_CLIENT_REFERENCES_A_B_BATCHING_MODE, rpc.client.references.ab.batching.mode
			RPC_CLIENT_REFERENCES_A_GROUP_VERSION, rpc.client.references.agroup.version
			RPC_CLIENT_REFERENCES_A_B_ADDRESSES_0, rpc.client.references.ab.addresses[0]
			RPC_CLIENT_REFERENCES_A_B_INTERCEPTORS_1, rpc.client.references.ab.interceptors[1]
			RPC_CLIENT_REFERENCES_X_METHODS_Y_TIMEOUT, rpc.client.references.x.methods.y.timeout
			RPC_CLIENT_REFERENCES_A_B_METHODS_GET_USER_IDEMPOTENT, rpc.client.references.ab.methods.getuser.idempotent
			RPC_CLIENT_REFERENCES_MY_METHODS_TIMEOUT, rpc.client.references.mymethods.timeout
			RPC_CLIENT_SERVICES_USER_SERVICE_FALLBACK, rpc.client.services.userservice.fallback
			RPC_CLIENT_SERVICES_A_METHODS_GETUSER_TIMEOUT, rpc.client.services.a.methods.getuser.timeout
			RPC_SERVER_SERVICES_A_METHODS_GETUSER_IDEMPOTENT, rpc.server.services.a.methods.getuser.idempotent
			RPC_SERVER_SERVICES_STOCK_SERVICE_MAX_THREADS, rpc.server.services.stockservice.max-threads
			RPC_SERVER_SERVICES_A_B_METHODS_GET_ALL_MAXTHREADS, rpc.server.services.ab.methods.getall.max-threads
			RPC_SERVER_SERVICES_A_METHODS_GET_ALL_DISPATCH, rpc.server.services.a.methods.getall.dispatch
			""")
	void variable_mapsToProperty(String variable, String property, CapturedOutput output) {
		this.variables.put(variable, "7");
		StandardEnvironment environment = environment();
		assertThat(environment.getPropertySources().get(EnvironmentNames.NAME).getProperty(property)).isEqualTo("7");
		assertThat(environment.getProperty(property)).isEqualTo("7");
		assertThat(output).doesNotContain("sets nothing");
	}

	@Test
	void variableWithoutUnderscores_takesPrecedence() {
		this.variables.put("RPC_CLIENT_REFERENCES_STOCK_SERVICE_TIMEOUT", "1s");
		this.variables.put("RPC_CLIENT_REFERENCES_STOCKSERVICE_TIMEOUT", "2s");
		assertThat(Binder.get(environment()).bind("rpc.client", RpcClientProperties.class).get().references())
			.hasEntrySatisfying("stockservice", (stock) -> assertThat(stock.timeout()).hasSeconds(2));
	}

	@Test
	void variables_setReferenceProperties() {
		this.variables.put("RPC_CLIENT_REFERENCES_STOCK_SERVICE_ADDRESSES", "127.0.0.1:1,127.0.0.1:2");
		this.variables.put("RPC_CLIENT_REFERENCES_STOCK_SERVICE_BATCHING_MAX_BYTES", "2KB");
		this.runner.withBean(Shop.class)
			.run((context) -> assertThat(context.getBean(RpcClient.class).references()).singleElement()
				.satisfies((reference) -> assertThat(reference.instances().stream().map(Instance::endpoint))
					.extracting(Object::toString)
					.containsExactlyInAnyOrder("127.0.0.1:1", "127.0.0.1:2")));
	}

	@Test
	void variables_setServiceAndMethodProperties() {
		this.variables.put("RPC_SERVER_SERVICES_GREE_TER_METHODS_GREE_T_MAX_THREADS", "3");
		this.runner.withBean(GreeterService.class)
			.run((context) -> assertThat(context.getBean(RpcServer.class).services()).singleElement()
				.satisfies((service) -> assertThat(service.methodMaxThreads()).containsEntry("greet", 3)));
	}

	@Test
	void variables_setMethodPropertiesIgnoringCase() {
		this.variables.put("RPC_CLIENT_REFERENCES_USER_SERVICE_METHODS_GETUSER_TIMEOUT", "1ns");
		this.variables.put("RPC_CLIENT_SERVICES_USERS_METHODS_GET_USER_IDEMPOTENT", "true");
		List<String> seen = new ArrayList<>();
		this.runner.withBean(UserShop.class).withBean(RpcClientInterceptor.class, () -> (call) -> {
			seen.add(call.method().isIdempotent() + " " + call.remaining());
			return "";
		}).run((context) -> context.getBean(UserShop.class).users.getUser());
		assertThat(seen).containsExactly("true PT0S");
	}

	@Test
	void unknownReferenceName_failsStartup() {
		this.variables.put("RPC_CLIENT_REFERENCES_STOK_SERVICE_TIMEOUT", "1s");
		FailureAnalysis analysis = StartFailure.of(this.runner.withBean(Shop.class));
		assertThat(analysis.getDescription())
			.startsWith("rpc.client.references: 'stokservice' (expected: the name of a reference: stock-service)")
			.contains("\"RPC_CLIENT_REFERENCES_STOK_SERVICE_TIMEOUT\"");
	}

	@Test
	void unmatchedVariables_causeWarning(CapturedOutput output) {
		List.of("RPC_CLIENT_REFERENCES_STOCK_TIMEOT", "RPC_CLIENT_REFERENCES_TIMEOUT",
				"RPC_CLIENT_SERVICES_STOCK_METHODS_GET_GROUP", "RPC_SERVER_SERVICES_STOCK_METHODS_GET_TIMEOUT",
				"RPC_SERVER_SERVICES_STOCK_PORT", "RPC_CLIENT_TIMEOUT")
			.forEach((variable) -> this.variables.put(variable, "1"));
		assertThat(environment().getPropertySources().contains(EnvironmentNames.NAME)).isFalse();
		assertThat(output.getOut()
			.lines()
			.filter((line) -> line.contains("sets nothing"))
			.map((line) -> line.substring(line.indexOf("Environment variable"))))
			.containsExactly("Environment variable RPC_CLIENT_REFERENCES_STOCK_TIMEOT sets nothing (expected: "
					+ "RPC_CLIENT_REFERENCES_<NAME>_ and one of ADDRESSES, BATCHING_MAXBYTES, "
					+ "BATCHING_MAXDELAY, BATCHING_MAXMESSAGES, BATCHING_MODE, CALLBACKS, CREDENTIALS, DETACHED, EJECTION_ENABLED, "
					+ "FALLBACK, GROUP, INTERCEPTORS, PROTOCOL, RELAYCREDENTIALS, RETRY_BUDGET, RETRY_MAXATTEMPTS, ROUTING_STRICT, ROUTING_TAG, SERIALIZER, SSL_BUNDLE, SSL_MODE, TIMEOUT, VERSION, WAITFORINSTANCE)",
					"Environment variable RPC_CLIENT_REFERENCES_TIMEOUT sets nothing (expected: "
							+ "RPC_CLIENT_REFERENCES_<NAME>_ and one of ADDRESSES, BATCHING_MAXBYTES, "
							+ "BATCHING_MAXDELAY, BATCHING_MAXMESSAGES, BATCHING_MODE, CALLBACKS, CREDENTIALS, DETACHED, EJECTION_ENABLED, "
							+ "FALLBACK, GROUP, INTERCEPTORS, PROTOCOL, RELAYCREDENTIALS, RETRY_BUDGET, RETRY_MAXATTEMPTS, ROUTING_STRICT, ROUTING_TAG, SERIALIZER, SSL_BUNDLE, SSL_MODE, TIMEOUT, VERSION, WAITFORINSTANCE)",
					"Environment variable RPC_CLIENT_SERVICES_STOCK_METHODS_GET_GROUP sets nothing (expected: "
							+ "RPC_CLIENT_SERVICES_<NAME>_METHODS_<METHOD>_ and one of HEDGEAFTER, IDEMPOTENT, TIMEOUT)",
					"Environment variable RPC_SERVER_SERVICES_STOCK_METHODS_GET_TIMEOUT sets nothing (expected: "
							+ "RPC_SERVER_SERVICES_<NAME>_METHODS_<METHOD>_ and one of DISPATCH, IDEMPOTENT, MAXTHREADS)",
					"Environment variable RPC_SERVER_SERVICES_STOCK_PORT sets nothing (expected: "
							+ "RPC_SERVER_SERVICES_<NAME>_ and one of ALLOW, DISPATCH, INTERCEPTORS, MAXSTREAMS, "
							+ "MAXTHREADS, SERIALIZERS)");
	}

	/** A service whose method has capitals. */
	public interface Users {

		String getUser();

	}

	static class UserShop {

		@RpcReference(name = "user-service")
		private Users users;

	}

	static class Shop {

		@RpcReference(name = "stock-service")
		private Greeter greeter;

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

}
