package io.rpcboot.spring.actuate.endpoint;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.spring.actuate.descriptor.OfferedServiceDescriptor;
import io.rpcboot.spring.actuate.descriptor.PolicyDescriptor;
import io.rpcboot.spring.actuate.descriptor.PolicyDescriptor.Value;
import io.rpcboot.spring.actuate.descriptor.ReferenceDescriptor;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests the options in force for references, services and methods, and their origins.
 */
class EffectiveOptionsReportTests {

	private static final String SERVICE = Stock.class.getName();

	private static final String FIND = "find(java.lang.String)";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0", "rpc.client.warm-up=0",
				"rpc.server.event-loop.transport=in-process", "rpc.client.event-loop.transport=in-process",
				"management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcEndpointAutoConfiguration.class))
		.withUserConfiguration(Beans.class);

	private static PolicyDescriptor policy(ApplicationContext context, String name) {
		ReferenceDescriptor references = (ReferenceDescriptor) part(context, "references", SERVICE);
		return references.policies().stream().filter((each) -> each.name().endsWith(name)).findFirst().orElseThrow();
	}

	private static PolicyDescriptor policy(ApplicationContext context) {
		return ((OfferedServiceDescriptor) part(context, "services", SERVICE)).policy();
	}

	private static Object part(ApplicationContext context, String... path) {
		return context.getBean(RpcEndpoint.class).part(path, null);
	}

	@Test
	void option_hasDefaultOrigin_withoutSetting() {
		this.runner.run((context) -> {
			PolicyDescriptor plain = policy(context, SERVICE);
			assertThat(plain.values()).containsOnly(entry("timeout", new Value("3s", "default")),
					entry("wait-for-instance", new Value("1s", "default")),
					entry("protocol", new Value("native", "default")),
					entry("serializer", new Value("protostuff", "default")),
					entry("detached", new Value("false", "default")));
			assertThat(plain.methods()).containsOnly(
					entry("count(java.lang.String)", Map.of("timeout", new Value("250ms", "@RpcMethod"))),
					entry(FIND, Map.of("idempotent", new Value("true", "@RpcMethod"))));
			PolicyDescriptor service = policy(context);
			assertThat(service.values()).containsOnly(entry("serializers", new Value("protostuff", "default")),
					entry("dispatch", new Value("pool", "default")));
			assertThat(service.methods()).containsOnly(
					entry("count(java.lang.String)", Map.of("dispatch", new Value("event-loop", "@RpcMethod"))),
					entry(FIND, Map.of("idempotent", new Value("true", "@RpcMethod"))));
		});
	}

	@Test
	void referenceProperties_overrideServicePropertiesAndAnnotation() {
		this.runner
			.withPropertyValues("rpc.client.timeout=5s", "rpc.client.services.Stock.timeout=2s",
					"rpc.client.services.Stock.wait-for-instance=0", "rpc.client.services.Stock.fallback=spare",
					"rpc.client.references.stock.timeout=1s", "rpc.client.references.stock.fallback=",
					"rpc.client.services.Stock.methods.find.timeout=500ms",
					"rpc.client.references.stock.methods.find.timeout=400ms",
					"rpc.client.references.stock.methods.find.idempotent=false",
					"rpc.client.references.stock.methods.count.timeout=100ms",
					"rpc.client.references.stock.methods.count.idempotent=true",
					"rpc.client.references.stock.interceptors=watching")
			.run((context) -> {
				PolicyDescriptor named = policy(context, "#stock?timeout=4s");
				assertThat(named.values())
					.containsEntry("timeout", new Value("1s", "rpc.client.references.stock.timeout"))
					.containsEntry("wait-for-instance", new Value("0s", "rpc.client.services.Stock.wait-for-instance"))
					.hasEntrySatisfying("interceptors",
							(each) -> assertThat(each.origin()).isEqualTo("rpc.client.references.stock.interceptors"))
					.doesNotContainKey("fallback");
				assertThat(named.methods().get(FIND))
					.containsEntry("timeout", new Value("400ms", "rpc.client.references.stock.methods.find.timeout"))
					.containsEntry("idempotent",
							new Value("false", "rpc.client.references.stock.methods.find.idempotent"));
				assertThat(named.methods().get("count(java.lang.String)")).as("a one-way method has them, too")
					.containsOnly(
							entry("timeout", new Value("100ms", "rpc.client.references.stock.methods.count.timeout")),
							entry("idempotent",
									new Value("true", "rpc.client.references.stock.methods.count.idempotent")));
				PolicyDescriptor plain = policy(context, SERVICE);
				assertThat(plain.values())
					.containsEntry("timeout", new Value("2s", "rpc.client.services.Stock.timeout"))
					.containsEntry("fallback", new Value("spare", "rpc.client.services.Stock.fallback"));
				assertThat(plain.methods().get(FIND)).containsEntry("timeout",
						new Value("500ms", "rpc.client.services.Stock.methods.find.timeout"));
			});
	}

	@Test
	void retryOptions_showOriginOfEachProperty() {
		this.runner
			.withPropertyValues("rpc.client.retry.budget=0.1", "rpc.client.references.stock.retry.max-attempts=2")
			.run((context) -> assertThat(policy(context, "#stock?timeout=4s").values())
				.containsEntry("retry.max-attempts", new Value("2", "rpc.client.references.stock.retry.max-attempts"))
				.containsEntry("retry.budget", new Value("0.1", "rpc.client.retry.budget"))
				.containsEntry("ejection.enabled", new Value("true", "default")));
	}

	@Test
	void referenceOptions_showAnnotationPropertyOrCustomizerAsOrigin() {
		this.runner.withPropertyValues("rpc.client.wait-for-instance=3s")
			.withBean(RpcReferenceCustomizer.class, () -> (type, name, options) -> options.withDetached(true))
			.run((context) -> assertThat(policy(context, "#stock?timeout=4s").values())
				.containsEntry("timeout", new Value("4s", "@RpcReference"))
				.containsEntry("wait-for-instance", new Value("3s", "rpc.client.wait-for-instance"))
				.containsEntry("detached", new Value("true", EffectiveOptionsReportTests.class.getName())));
	}

	@Test
	void serviceOptions_showPropertyAsOrigin() {
		this.runner
			.withPropertyValues("rpc.server.dispatch=event-loop", "rpc.server.services.Stock.dispatch=pool",
					"rpc.server.services.Stock.max-threads=9", "rpc.server.services.Stock.interceptors=looking",
					"rpc.server.services.Stock.methods.find.idempotent=false",
					"rpc.server.services.Stock.methods.find.max-threads=2")
			.run((context) -> {
				PolicyDescriptor service = policy(context);
				assertThat(service.name()).isEqualTo(SERVICE);
				assertThat(service.values())
					.containsEntry("dispatch", new Value("pool", "rpc.server.services.Stock.dispatch"))
					.containsEntry("max-threads", new Value("9", "rpc.server.services.Stock.max-threads"))
					.hasEntrySatisfying("interceptors",
							(each) -> assertThat(each.origin()).isEqualTo("rpc.server.services.Stock.interceptors"));
				assertThat(service.methods()).containsOnly(entry(FIND,
						Map.of("idempotent", new Value("false", "rpc.server.services.Stock.methods.find.idempotent"),
								"max-threads", new Value("2", "rpc.server.services.Stock.methods.find.max-threads"))));
			});
		this.runner.withPropertyValues("rpc.server.dispatch=event-loop")
			.run((context) -> assertThat(policy(context).values()).containsEntry("dispatch",
					new Value("event-loop", "rpc.server.dispatch")));
	}

	@Test
	void serviceOptions_showAnnotationOrCustomizerAsOrigin() {
		this.runner.withUserConfiguration(Watched.class)
			.withBean(RpcServiceCustomizer.class, () -> (service, options) -> options.withMaxThreads(7))
			.run((context) -> {
				PolicyDescriptor watched = ((OfferedServiceDescriptor) part(context, "services",
						Runnable.class.getName()))
					.policy();
				assertThat(watched.values())
					.containsEntry("interceptors", new Value(Looking.class.getName(), "@RpcService"))
					.containsEntry("max-threads", new Value("7", EffectiveOptionsReportTests.class.getName()));
			});
	}

	@Test
	void option_hasPropertyAsOrigin_whenSetToDefaultValue() {
		this.runner.withPropertyValues("rpc.client.services.Stock.detached=false")
			.run((context) -> assertThat(policy(context, SERVICE).values()).containsEntry("detached",
					new Value("false", "rpc.client.services.Stock.detached")));
	}

	/** A service. */
	public interface Stock {

		@RpcMethod(idempotent = true)
		CompletableFuture<String> find(String article);

		@RpcMethod(oneWay = true, nonBlocking = true, timeout = "250ms")
		void count(String article);

		List<String> all();

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		StockService stockService() {
			return new StockService();
		}

		@Bean(defaultCandidate = false)
		SpareStock spare() {
			return new SpareStock();
		}

		@Bean
		User user() {
			return new User();
		}

		@Bean(defaultCandidate = false)
		RpcClientInterceptor watching() {
			return (call) -> call.proceed();
		}

		@Bean(defaultCandidate = false)
		RpcServerInterceptor looking() {
			return (call) -> call.proceed();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Watched {

		@Bean
		@RpcService(interfaces = Runnable.class, interceptors = Looking.class)
		Runnable watched() {
			return () -> {
			};
		}

	}

	static class Looking implements RpcServerInterceptor {

		@Override
		public Object intercept(ServerInvocation call) throws Throwable {
			return call.proceed();
		}

	}

	static class User {

		@RpcReference
		private Stock plain;

		@RpcReference(name = "stock", timeout = "4s")
		private Stock named;

	}

	@RpcService
	static class StockService extends SpareStock {

	}

	static class SpareStock implements Stock {

		@Override
		public CompletableFuture<String> find(String article) {
			return CompletableFuture.completedFuture(article);
		}

		@Override
		public void count(String article) {
		}

		@Override
		public List<String> all() {
			return List.of();
		}

	}

}
