package io.rpcboot.spring.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.reference.RpcReferenceInjectionTests.ClientConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Placeholders and SpEL expressions in texts of annotations. */
class PlaceholdersTests {

	private static final String[] PROPERTIES = { "api.version=7", "api.group=eu", "api.timeout=11s", "api.wait=5s",
			"api.name=stock", "api.served=2" };

	private static final ApplicationContextRunner WITHOUT_PROPERTIES = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class))
		.withPropertyValues("rpc.server.port=0");

	private final ApplicationContextRunner runner = WITHOUT_PROPERTIES.withPropertyValues(PROPERTIES);

	@Test
	void attributesOfReference_areResolved() {
		this.runner.withBean(Recorder.class).withBean(References.class).run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			assertThat(recorder.name).isEqualTo("stock");
			assertThat(recorder.options.version()).isEqualTo("7");
			assertThat(recorder.options.group()).isEqualTo("eu-7");
			assertThat(recorder.options.timeout()).isEqualTo(Duration.ofSeconds(11));
			assertThat(recorder.options.waitForInstance()).isEqualTo(Duration.ofSeconds(5));
		});
	}

	@Test
	void propertiesOfReference_followResolvedName() {
		this.runner.withBean(References.class)
			.withPropertyValues("rpc.client.references.stock.version=9")
			.run((context) -> assertThat(context.getBean(RpcClient.class).references()).singleElement()
				.extracting((each) -> each.service().version())
				.isEqualTo("9"));
	}

	@ParameterizedTest
	@CsvSource({ "Defaulted, 2", "Spel, 8", "BeanSpel, 5", "NestedPlaceholder, 7", "EmptyByDefault, ''", "Part, v7.x" })
	void text_isResolved_asInValue(String type, String version) throws Exception {
		Class<?> user = Class.forName(PlaceholdersTests.class.getName() + "$" + type);
		this.runner.withBean(user)
			.withBean("settings", Settings.class)
			.run((context) -> assertThat(context.getBean(RpcClient.class).references()).singleElement()
				.extracting((each) -> each.service().version())
				.isEqualTo(version));
	}

	@ParameterizedTest
	@ValueSource(strings = { "api.version", "api.group", "api.timeout", "api.wait", "api.name" })
	void missingProperty_isNamed_withAttributeAndClass(String property) {
		String[] others = Stream.of(PROPERTIES)
			.filter((each) -> !each.startsWith(property + "="))
			.toArray(String[]::new);
		WITHOUT_PROPERTIES.withPropertyValues(others)
			.withBean(References.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(RpcConfigurationException.class, (ex) -> {
					assertThat(ex)
						.hasMessageContaining("@RpcReference at field greeter of " + References.class.getName())
						.hasMessageContaining("${" + property)
						.hasMessageContaining(property + " is not");
					assertThat(ex.action()).contains("Set " + property);
				}));
	}

	@Test
	void missingProperty_isNamed_withoutConfigurer() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(PlainConfiguration.class, References.class);
			assertThatException().isThrownBy(context::refresh)
				.havingRootCause()
				.withMessageContaining("@RpcReference at field greeter")
				.withMessageContaining("api.version is not");
		}
	}

	@Test
	void failingExpression_isNamed() {
		this.runner.withBean(BadExpression.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("has version = \"#{nothing.there}\", which cannot be evaluated")
				.hasMessageContaining("nothing"));
	}

	@Test
	void attributesOfService_areResolved() {
		this.runner.withBean(Served.class)
			.run((context) -> assertThat(context.getBean(RpcServer.class).services()).singleElement()
				.extracting((each) -> each.service().toString())
				.isEqualTo(Policy.class.getName() + ":2@eu"));
	}

	@Test
	void missingPropertyOfService_isNamed_withAttributeAndClass() {
		this.runner.withBean(MissingInService.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(
						"@RpcService of " + MissingInService.class.getName() + " has group = \"${no.such}\"")
				.hasMessageContaining("no.such is not"));
	}

	@Test
	void timeoutOfMethod_isResolved_byClient() {
		this.runner.withBean(Timeouts.class)
			.withBean(Served.class)
			.withBean(PolicyUser.class)
			.withPropertyValues("api.of-method=9s")
			.run((context) -> {
				Policy policy = context.getBean(PolicyUser.class).policy;
				assertThat(policy.timed()).isEqualTo("timed");
				assertThat(policy.defaulted()).isEqualTo("defaulted");
				assertThat(context.getBean(Timeouts.class).seen).containsExactly(Duration.ofSeconds(9),
						Duration.ofSeconds(8));
			});
	}

	@Test
	void timeoutOfMethod_isNoMistake_atServer() {
		this.runner.withBean(Served.class)
			.run((context) -> assertThat(context.getBean(RpcServer.class).services()).hasSize(1));
	}

	@Test
	void missingPropertyOfMethod_isNamed_byClient() {
		this.runner.withBean(PolicyUser.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("@RpcMethod of " + Policy.class.getName())
				.hasMessageContaining("timed() has timeout = \"${api.of-method}\"")
				.hasMessageContaining("api.of-method is not"));
	}

	static class References {

		@RpcReference(name = "${api.name}", version = "${api.version}", group = "${api.group}-${api.version}",
				timeout = "${api.timeout}", waitForInstance = "${api.wait}")
		Greeter greeter;

	}

	static class Defaulted {

		@RpcReference(version = "${no.such:2}")
		Greeter greeter;

	}

	static class Spel {

		@RpcReference(version = "#{${api.version} + 1}")
		Greeter greeter;

	}

	static class BeanSpel {

		@RpcReference(version = "#{@settings.major()}")
		Greeter greeter;

	}

	static class NestedPlaceholder {

		@RpcReference(version = "${no.such:${api.version}}")
		Greeter greeter;

	}

	static class EmptyByDefault {

		@RpcReference(version = "${no.such:}")
		Greeter greeter;

	}

	static class Part {

		@RpcReference(version = "v${api.version}.x")
		Greeter greeter;

	}

	static class BadExpression {

		@RpcReference(version = "#{nothing.there}")
		Greeter greeter;

	}

	static class Settings {

		public int major() {
			return 5;
		}

	}

	static class Recorder implements RpcReferenceCustomizer {

		private String name;

		private ReferenceOptions options;

		@Override
		public ReferenceOptions customize(Class<?> type, String name, ReferenceOptions options) {
			this.name = name;
			this.options = options;
			return options;
		}

	}

	static class PlainConfiguration extends ClientConfiguration {

	}

	public interface Policy {

		@RpcMethod(timeout = "${api.of-method}")
		String timed();

		@RpcMethod(timeout = "${no.such:8s}")
		String defaulted();

	}

	@RpcService(version = "${api.served}", group = "${no.such:eu}")
	static class Served implements Policy {

		@Override
		public String timed() {
			return "timed";
		}

		@Override
		public String defaulted() {
			return "defaulted";
		}

	}

	@RpcService(group = "${no.such}")
	static class MissingInService extends Served {

	}

	static class PolicyUser {

		@RpcReference(version = "${api.served}", group = "eu", waitForInstance = "20s", timeout = "20s")
		Policy policy;

	}

	static class Timeouts implements RpcClientInterceptor {

		private final List<Duration> seen = new ArrayList<>();

		@Override
		public Object intercept(ClientInvocation invocation) throws Throwable {
			this.seen.add(invocation.method().timeout());
			return invocation.proceed();
		}

	}

}
