package io.rpcboot.spring.autoconfigure.server;

import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.advice.RpcAdviceInterceptor;
import io.rpcboot.spring.autoconfigure.diagnostics.LivenessPublisher;
import io.rpcboot.spring.autoconfigure.diagnostics.NettyVersionCheck;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.properties.ApplicationName;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.properties.TestContextDetector;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import io.rpcboot.spring.lifecycle.RpcServerRegistrar;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.spring.service.RpcServiceExporter;
import io.rpcboot.spring.service.ServiceInterceptorsPostProcessor;
import io.rpcboot.transport.Options.InvalidOptionException;
import io.rpcboot.transport.RpcConnectionListener;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * The server, when there is a bean with {@link RpcService}. Each context has its own, as
 * it has its own services. It is looked for as late as can be, so that libraries may
 * bring services and advice by auto-configurations of theirs.
 */
@AutoConfiguration(after = { RpcRegistryAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
		RpcSerializationAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnSwitch(value = "rpc.server.enabled", byDefault = true)
@EnableConfigurationProperties(RpcServerProperties.class)
@Import({ NettyVersionCheck.class, LivenessPublisher.class })
public final class RpcServerAutoConfiguration {

	private static final String PREFIX = "rpc.server.";

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	@Conditional(OnServiceCondition.class)
	RpcServer rpcServer(RpcServerProperties properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory, ObjectProvider<Registry> registry,
			SerializerCatalog serializers, ObjectProvider<RpcMetrics> metrics,
			ObjectProvider<RpcConnectionListener> listeners, ObjectProvider<RpcServerInterceptor> interceptors,
			ObjectProvider<RpcServerBuilderCustomizer> customizers, RpcServiceExporter exporter) {
		return OptionToPropertyNames.under(PREFIX, () -> {
			RpcServerBuilder builder = RpcServer.builder();
			properties.applyTo(builder, Threading.VIRTUAL.isActive(environment));
			ApplicationName.apply(builder, environment, registry.getIfAvailable());
			registry.ifAvailable(builder::registry);
			builder.serializers(serializers.get("rpc.server.serializers", properties.serializers()));
			builder.metrics(RpcMetrics.all(metrics.orderedStream().toList()));
			listeners.orderedStream().forEach(builder::connectionListener);
			interceptors.orderedStream().forEach(builder::interceptor);
			ServiceProperties services = new ServiceProperties(properties.services(), serializers,
					new PolicyBeans(beanFactory), TestContextDetector.isTest(environment),
					exporter.serviceIdsOfParents());
			exporter.export(builder, services);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
			return services.named(builder::build);
		});
	}

	@Bean
	@Conditional(OnServiceCondition.class)
	RpcServiceExporter rpcServiceExporter(ConfigurableListableBeanFactory beanFactory) {
		return new RpcServiceExporter(beanFactory);
	}

	@Bean
	@Conditional(OnServiceCondition.class)
	static ServiceInterceptorsPostProcessor rpcServiceInterceptorsPostProcessor() {
		return new ServiceInterceptorsPostProcessor();
	}

	@Bean
	@ConditionalOnBean(annotation = RpcAdvice.class)
	RpcAdviceInterceptor rpcAdviceInterceptor(ListableBeanFactory beanFactory) {
		return new RpcAdviceInterceptor(beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	@ConditionalOnBean(value = RpcServer.class, search = SearchStrategy.CURRENT)
	RpcServerLifecycle rpcServerLifecycle(RpcServer server, RpcServerProperties properties,
			ApplicationContext context) {
		return new RpcServerLifecycle(server, () -> bind(server, properties.port()),
				properties.shutdown().gracePeriod(), context);
	}

	private static void bind(RpcServer server, int port) {
		OptionToPropertyNames.under(PREFIX, () -> {
			try {
				server.bind();
				return server;
			}
			catch (InvalidOptionException ex) {
				if (!ex.name().equals("port") || !RpcServerLifecycle.holdsPort(port)) {
					throw ex;
				}
				throw InvalidOptionException.unusable("port",
						port + " is in use by another application context of this process",
						"Set port to 0 for any free one, as tests in one process need it, or to another port, "
								+ "or close the other context first.",
						ex);
			}
		});
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	@ConditionalOnBean(value = RpcServer.class, search = SearchStrategy.CURRENT)
	RpcServerRegistrar rpcServerRegistrar(RpcServer server, RpcServerLifecycle lifecycle,
			ObjectProvider<Registry> registry, ConfigurableListableBeanFactory beanFactory) {
		// only SpringApplication says when traffic is accepted; inside one process its
		// runners may call its own services before that
		boolean application = beanFactory.containsSingleton("springApplicationArguments");
		boolean inProcess = registry.getIfAvailable() instanceof InMemoryRegistry;
		return new RpcServerRegistrar(server, lifecycle, !application || inProcess);
	}

	@Bean
	@ConditionalOnBean(value = RpcServer.class, search = SearchStrategy.CURRENT)
	RpcServerEvents rpcServerEvents(RpcServer server, RpcServerRegistrar registrar, ApplicationContext context) {
		return new RpcServerEvents(server, registrar, context);
	}

}
