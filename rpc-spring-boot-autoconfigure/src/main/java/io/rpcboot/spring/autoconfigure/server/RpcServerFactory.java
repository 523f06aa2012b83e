package io.rpcboot.spring.autoconfigure.server;

import java.util.List;

import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.Registry;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Authorizer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.RpcGrpcServices;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.autoconfigure.properties.ApplicationName;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.properties.TestContextDetector;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties.Ssl;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.spring.service.RpcServiceExporter;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Creates the server from properties and beans. Customizers run last. Lazy, because an
 * application with its own {@link RpcServer} bean needs none of this.
 */
@Lazy
@Conditional(OnServiceCondition.class)
final class RpcServerFactory {

	static final String PREFIX = "rpc.server.";

	/** Port of Spring Boot's gRPC server without a setting. */
	private static final int GRPC_PORT = 9090;

	private static final String GRPC_SERVER = "org.springframework.grpc.server.lifecycle.GrpcServerLifecycle";

	private static final String GRPC_SERVICE = "io.grpc.BindableService";

	private static final List<String> DECODERS = List.of("org.springframework.security.oauth2.jwt.JwtDecoder",
			"org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector");

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final RpcServerProperties properties;

	private final Environment environment;

	private final ConfigurableListableBeanFactory beanFactory;

	private final SerializerCatalog serializers;

	private final RpcServiceExporter exporter;

	private final ObjectProvider<Registry> registry;

	private final ObjectProvider<RpcMetrics> metrics;

	private final ObjectProvider<RpcConnectionListener> listeners;

	private final ObjectProvider<RpcServerInterceptor> interceptors;

	private final ObjectProvider<RpcServerBuilderCustomizer> customizers;

	private final TlsBundles tls;

	private final ServerAccess access;

	RpcServerFactory(RpcServerProperties properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory, SerializerCatalog serializers, RpcServiceExporter exporter,
			ObjectProvider<Registry> registry, ObjectProvider<RpcMetrics> metrics,
			ObjectProvider<RpcConnectionListener> listeners, ObjectProvider<RpcServerInterceptor> interceptors,
			ObjectProvider<RpcServerBuilderCustomizer> customizers, @Qualifier("rpcServerTls") TlsBundles tls,
			ObjectProvider<Authenticator> authenticators, ObjectProvider<Authorizer> authorizers) {
		this.properties = properties;
		this.environment = environment;
		this.beanFactory = beanFactory;
		this.serializers = serializers;
		this.exporter = exporter;
		this.registry = registry;
		this.metrics = metrics;
		this.listeners = listeners;
		this.interceptors = interceptors;
		this.customizers = customizers;
		this.tls = tls;
		this.access = new ServerAccess(properties.auth(), authenticators, authorizers);
	}

	/**
	 * Returns a new server, which is not bound.
	 * @throws io.rpcboot.RpcConfigurationException if a property, a service or a bean is
	 * not usable
	 */
	RpcServer create() {
		if (this.properties.grpc().hostServices()
				&& this.beanFactory.getBeanNamesForType(RpcGrpcServices.class, true, false).length == 0) {
			logger.warn("rpc.server.grpc.host-services: true, and there is no service to host"
					+ " (expected: rpc-spring-boot-starter-grpc and a BindableService bean)");
		}
		return OptionToPropertyNames.under(PREFIX, () -> {
			RpcServerBuilder builder = RpcServer.builder();
			applyProperties(builder);
			applyTls(builder);
			applyBeans(builder);
			ServiceProperties services = services();
			this.exporter.export(builder, services);
			this.customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
			if (builder.tls() == null) {
				requireNoSettingsOfTls();
			}
			warnOfUnusedDecoders(builder.tls());
			warnOfServerAtSamePort();
			return services.named(builder::build);
		});
	}

	private void applyProperties(RpcServerBuilder builder) {
		AccessOptions options = this.access.options();
		this.properties.applyTo(builder, options, Threading.VIRTUAL.isActive(this.environment),
				options.authenticator() != null || this.properties.ssl().asksForCertificates());
		ApplicationName.apply(builder, this.environment, this.registry.getIfAvailable());
		builder.serializers(this.serializers.get(PREFIX + "serializers", this.properties.serializers()))
			.grpc(this.properties.grpc().toOptions().withTypes(this.serializers.types()))
			.http(this.properties.http().toOptions());
	}

	private void applyTls(RpcServerBuilder builder) {
		String bundle = this.properties.ssl().bundle();
		if (!bundle.isEmpty()) {
			builder.tls(this.tls.get(PREFIX + "ssl.bundle", bundle));
		}
	}

	/**
	 * Warns of decoders of tokens that no call is checked by, if nothing else guards it.
	 */
	private void warnOfUnusedDecoders(@Nullable TlsOptions tls) {
		AccessOptions access = this.access.options();
		boolean hasCertificates = tls != null && tls.clientAuth() != ClientAuth.NONE;
		if (hasCertificates || access.authenticator() != null || access.authorizer() != null) {
			return;
		}
		for (String each : DECODERS) {
			if (hasBeans(each)) {
				logger.warn("The {} bean checks no call, and everybody may call the services"
						+ " (expected: an RpcSecurity bean with rules)", ClassUtils.getShortName(each));
			}
		}
	}

	/** Warns of Spring Boot's own gRPC server at the same port, whose start fails. */
	private void warnOfServerAtSamePort() {
		int port = this.environment.getProperty("spring.grpc.server.port", Integer.class, GRPC_PORT);
		boolean isOn = this.environment.getProperty("spring.grpc.server.enabled", Boolean.class, true)
				&& !this.properties.grpc().hostServices();
		if (isOn && port != 0 && port == this.properties.port() && hasBeans(GRPC_SERVER) && hasBeans(GRPC_SERVICE)) {
			logger.warn(
					"""
							rpc.server.port: {}, and Spring Boot's gRPC server has the same one, so that one of them cannot start \
							(expected: another rpc.server.port or spring.grpc.server.port; or rpc.server.grpc.host-services=true \
							with rpc-spring-boot-starter-grpc, which offers its services here)""",
					port);
		}
	}

	private boolean hasBeans(String type) {
		ClassLoader loader = this.beanFactory.getBeanClassLoader();
		return ClassUtils.isPresent(type, loader) && this.beanFactory
			.getBeanNamesForType(ClassUtils.resolveClassName(type, loader), true, false).length > 0;
	}

	/** Rejects settings of TLS that would have no effect: the port speaks clear text. */
	private void requireNoSettingsOfTls() {
		Ssl ssl = this.properties.ssl();
		if (ssl.clientAuth() != ClientAuth.NONE) {
			throw TlsBundles.missing(PREFIX, "ssl.client-auth", ssl.clientAuth());
		}
		if (ssl.mode() != TlsOptions.Mode.DISABLED && TlsBundles.isSet(this.environment, PREFIX + "ssl.mode")) {
			throw TlsBundles.missing(PREFIX, "ssl.mode", ssl.mode());
		}
	}

	private void applyBeans(RpcServerBuilder builder) {
		this.registry.ifAvailable(builder::registry);
		builder.metrics(RpcMetrics.all(this.metrics.orderedStream().toList()));
		this.listeners.orderedStream().forEach(builder::connectionListener);
		this.interceptors.orderedStream().forEach(builder::interceptor);
	}

	private ServiceProperties services() {
		return new ServiceProperties(this.properties.services(), this.serializers, new PolicyBeans(this.beanFactory),
				TestContextDetector.isTest(this.environment), this.exporter.serviceIdsOfParents());
	}

}
