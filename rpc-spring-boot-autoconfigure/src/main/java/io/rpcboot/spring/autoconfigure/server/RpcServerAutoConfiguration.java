package io.rpcboot.spring.autoconfigure.server;

import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.advice.RpcAdviceInterceptor;
import io.rpcboot.spring.autoconfigure.diagnostics.LibraryVersionCheck;
import io.rpcboot.spring.autoconfigure.diagnostics.LivenessPublisher;
import io.rpcboot.spring.autoconfigure.diagnostics.NettyVersionCheck;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import io.rpcboot.spring.lifecycle.RpcServerRegistrar;
import io.rpcboot.spring.service.MethodSecurityCheck;
import io.rpcboot.spring.service.RpcServiceExporter;
import io.rpcboot.spring.service.ServiceInterceptorsPostProcessor;
import io.rpcboot.transport.TlsOptions;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the server, if a bean of this context has {@link RpcService}. A
 * child context with services has a server of its own. Runs after all other
 * auto-configurations, because these may define services and advice, too.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RpcRegistryAutoConfiguration.class, RpcMetricsAutoConfiguration.class,
		RpcSerializationAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnSwitch(value = "rpc.server.enabled", byDefault = true)
@EnableConfigurationProperties(RpcServerProperties.class)
@Import({ RpcServerFactory.class, NettyVersionCheck.class, LibraryVersionCheck.class, LivenessPublisher.class })
public final class RpcServerAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	@Conditional(OnServiceCondition.class)
	RpcServer rpcServer(RpcServerFactory factory) {
		return factory.create();
	}

	@Bean
	@Conditional(OnServiceCondition.class)
	TlsBundles rpcServerTls(RpcServerProperties properties, ObjectProvider<SslBundles> bundles,
			ConfigurableListableBeanFactory beanFactory) {
		return new TlsBundles(bundles.getIfAvailable(DefaultSslBundleRegistry::new), properties.ssl()::applyTo,
				(before, next) -> renewTls(beanFactory, next));
	}

	/** Renews TLS of the server; a change of files creates no bean. */
	private static void renewTls(ConfigurableListableBeanFactory beanFactory, TlsOptions next) {
		if (!(beanFactory.getSingleton("rpcServer") instanceof RpcServer server)) {
			throw new IllegalStateException("the server is not created yet");
		}
		if (server.tls() != null) {
			server.renewTls(next);
		}
	}

	@Bean
	@ConditionalOnBean(value = RpcServer.class, search = SearchStrategy.CURRENT)
	ReloadableProperties<RpcServerProperties> rpcReloadableServerProperties(RpcServerProperties properties,
			RpcServer server, Environment environment) {
		ServerReload reload = new ServerReload(server);
		return new ReloadableProperties<>(properties, environment, ServerReload::takes, reload::apply);
	}

	@Bean
	@Conditional(OnServiceCondition.class)
	RpcServiceExporter rpcServiceExporter(ConfigurableListableBeanFactory beanFactory) {
		return new RpcServiceExporter(beanFactory);
	}

	@Bean
	@ConditionalOnBean(value = RpcServiceExporter.class, search = SearchStrategy.CURRENT)
	MethodSecurityCheck rpcMethodSecurityCheck(RpcServiceExporter exporter,
			ConfigurableListableBeanFactory beanFactory) {
		return new MethodSecurityCheck(exporter, beanFactory);
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
		return new RpcServerLifecycle(server, new RpcServerBinder(server, properties.port())::bind,
				properties.shutdown().gracePeriod(), context);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	@ConditionalOnBean(value = RpcServer.class, search = SearchStrategy.CURRENT)
	RpcServerRegistrar rpcServerRegistrar(RpcServer server, RpcServerLifecycle lifecycle,
			ObjectProvider<Registry> registry, ConfigurableListableBeanFactory beanFactory) {
		// Only SpringApplication publishes when traffic is accepted. With the in-memory
		// registry the server registers at once, because runners may call its services.
		boolean inProcess = registry.getIfAvailable() instanceof InMemoryRegistry;
		return new RpcServerRegistrar(server, lifecycle, !isApplication(beanFactory) || inProcess);
	}

	private static boolean isApplication(ConfigurableListableBeanFactory beanFactory) {
		return beanFactory.containsSingleton("springApplicationArguments");
	}

	@Bean
	@ConditionalOnBean(value = RpcServer.class, search = SearchStrategy.CURRENT)
	RpcServerEvents rpcServerEvents(RpcServer server, RpcServerRegistrar registrar, LivenessPublisher engines,
			ApplicationContext context, ConfigurableListableBeanFactory beanFactory) {
		return new RpcServerEvents(server, registrar, engines, context, isApplication(beanFactory));
	}

}
