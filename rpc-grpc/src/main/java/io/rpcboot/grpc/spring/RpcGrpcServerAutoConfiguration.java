package io.rpcboot.grpc.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.rpcboot.grpc.BindableServices;
import io.rpcboot.spring.RpcGrpcServices;
import io.rpcboot.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.service.DefaultGrpcServiceConfigurer;
import org.springframework.grpc.server.service.DefaultGrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceSpec;
import org.springframework.util.ReflectionUtils;

/**
 * Auto-configuration that runs the {@link BindableService} beans of an application on the
 * server of the starter, with the interceptors that Spring's gRPC gives them. Runs before
 * that of Spring Boot, which is optional, and takes the place of its servers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(beforeName = RpcGrpcServerAutoConfiguration.SPRING_BOOT)
@ConditionalOnClass({ GrpcServerFactory.class, RpcGrpcServices.class })
@ConditionalOnBean(value = BindableService.class, search = SearchStrategy.CURRENT)
@ConditionalOnSwitch(value = "rpc.server.enabled", byDefault = true)
public final class RpcGrpcServerAutoConfiguration {

	static final String SPRING_BOOT = "org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration";

	private static final String HOST_SERVICES = "rpc.server.grpc.host-services";

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	/** Services of the application on the server of the starter. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSwitch(value = HOST_SERVICES, byDefault = false)
	static class Hosting {

		private static final String SETTINGS = "spring.grpc.server";

		/** Settings of Spring Boot's own servers, by their first part. */
		private static final Set<String> OF_ITS_SERVERS = Set.of("address", "enabled", "factory", "inbound",
				"keepalive", "netty", "port", "servlet", "shutdown", "ssl");

		@Bean
		@ConditionalOnMissingBean(GrpcServerFactory.class)
		RpcGrpcServerFactory rpcGrpcServerFactory() {
			return new RpcGrpcServerFactory();
		}

		@Bean
		@ConditionalOnMissingBean
		GrpcServiceDiscoverer rpcGrpcServiceDiscoverer(ApplicationContext context) {
			return new DefaultGrpcServiceDiscoverer(context);
		}

		@Bean
		@ConditionalOnMissingBean
		GrpcServiceConfigurer rpcGrpcServiceConfigurer(ApplicationContext context) {
			return new DefaultGrpcServiceConfigurer(context);
		}

		@Bean
		RpcGrpcServices rpcGrpcServices(GrpcServiceDiscoverer discoverer, GrpcServiceConfigurer configurer,
				ObjectProvider<RpcServerProperties> properties, Environment environment) {
			return () -> {
				RpcServerProperties.Grpc options = properties.getObject().grpc();
				warnOfSettings(options, environment);
				return discoverer.findServices()
					.stream()
					.map((each) -> configurer.configure(withAspects(each), new RpcGrpcServerFactory()))
					.filter((each) -> !isOfServer(each.getServiceDescriptor().getName(), options))
					.map(BindableServices::of)
					.toList();
			};
		}

		/**
		 * Binds a proxy itself: it may pass {@code bindService()} to its target, whose
		 * methods know no security, transactions and caches.
		 */
		private static GrpcServiceSpec withAspects(GrpcServiceSpec spec) {
			BindableService service = spec.service();
			if (!AopUtils.isAopProxy(service)) {
				return spec;
			}
			ServerServiceDefinition bound = BindableServices.bound(service);
			if (bound != null) {
				return new GrpcServiceSpec(() -> bound, spec.serviceInfo());
			}
			Class<?> type = AopProxyUtils.ultimateTargetClass(service);
			Method method = ReflectionUtils.findMethod(type, "bindService");
			boolean bindsProxy = AopUtils.isCglibProxy(service) && method != null
					&& Modifier.isFinal(method.getModifiers());
			if (!bindsProxy) {
				logger.warn(
						"gRPC service {}: security, transactions, caches and other aspects have no effect on its calls,"
								+ " because bindService() is no plain one of generated code"
								+ " (expected: a subclass of the generated ImplBase, or interceptors)",
						type.getName());
			}
			return spec;
		}

		/** Returns true for a service that the server itself offers. */
		private static boolean isOfServer(String service, RpcServerProperties.Grpc options) {
			return (options.health() && service.equals("grpc.health.v1.Health"))
					|| (options.reflection() && service.startsWith("grpc.reflection.v1"));
		}

		private static void warnOfSettings(RpcServerProperties.Grpc options, Environment environment) {
			Set<String> found = new TreeSet<>();
			Binder.get(environment)
				.bind(SETTINGS, Bindable.mapOf(String.class, String.class))
				.ifBound((settings) -> found.addAll(settings.keySet()));
			found.removeIf((each) -> switch (each.replaceFirst("\\..*", "")) {
				case "health" -> !options.health();
				case "reflection" -> !options.reflection();
				default -> !OF_ITS_SERVERS.contains(each.replaceFirst("\\..*", ""));
			});
			if (!found.isEmpty()) {
				logger.warn("{}.{}: without effect, because of {}=true (expected: rpc.server.* instead)", SETTINGS,
						String.join(", %s.".formatted(SETTINGS), found), HOST_SERVICES);
			}
		}

	}

	/** Services of the application that no server has. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSwitch(value = HOST_SERVICES, is = false, byDefault = false)
	@ConditionalOnMissingClass(SPRING_BOOT)
	@ConditionalOnMissingBean(GrpcServerFactory.class)
	static class NotHosting {

		@Bean
		SmartInitializingSingleton rpcGrpcServicesWarning() {
			return () -> logger.warn("BindableService beans are offered by no server (expected: {}=true)",
					HOST_SERVICES);
		}

	}

}
