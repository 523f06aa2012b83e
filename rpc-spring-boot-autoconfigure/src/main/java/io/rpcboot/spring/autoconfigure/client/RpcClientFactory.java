package io.rpcboot.spring.autoconfigure.client;

import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.Auth;
import io.rpcboot.spring.autoconfigure.properties.ApplicationName;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;
import io.rpcboot.spring.autoconfigure.properties.SharedSecretProperty;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.transport.RpcConnectionListener;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Creates the client from properties and beans. Customizers run last. Lazy, because an
 * application without references has no client.
 */
@Lazy
final class RpcClientFactory {

	static final String PREFIX = "rpc.client.";

	private static final String SECRET = PREFIX + "auth.secret";

	private final ReloadableProperties<RpcClientProperties> properties;

	private final Environment environment;

	private final ConfigurableListableBeanFactory beanFactory;

	private final TlsBundles tls;

	private final SerializerCatalog serializers;

	private final ObjectProvider<Registry> registry;

	private final ObjectProvider<RpcMetrics> metrics;

	private final ObjectProvider<RpcConnectionListener> listeners;

	private final ObjectProvider<CredentialsProvider> credentials;

	private final ObjectProvider<RpcClientInterceptor> interceptors;

	private final ObjectProvider<RpcClientBuilderCustomizer> customizers;

	RpcClientFactory(ReloadableProperties<RpcClientProperties> properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory, @Qualifier("rpcClientTls") TlsBundles tls,
			SerializerCatalog serializers, ObjectProvider<Registry> registry, ObjectProvider<RpcMetrics> metrics,
			ObjectProvider<RpcConnectionListener> listeners, ObjectProvider<CredentialsProvider> credentials,
			ObjectProvider<RpcClientInterceptor> interceptors, ObjectProvider<RpcClientBuilderCustomizer> customizers) {
		this.properties = properties;
		this.environment = environment;
		this.beanFactory = beanFactory;
		this.tls = tls;
		this.serializers = serializers;
		this.registry = registry;
		this.metrics = metrics;
		this.listeners = listeners;
		this.credentials = credentials;
		this.interceptors = interceptors;
		this.customizers = customizers;
	}

	/**
	 * Returns a new client.
	 * @throws io.rpcboot.RpcConfigurationException if a property or a bean is not usable,
	 * or {@code rpc.client.enabled} is false
	 */
	RpcClient create() {
		if (!this.properties.values().enabled()) {
			throw ClientDisabledGuard.refusal("a bean needs an RpcClient");
		}
		return OptionToPropertyNames.under(PREFIX, builder(this.properties.values())::build);
	}

	/**
	 * Returns a builder with properties and beans.
	 * @throws io.rpcboot.RpcConfigurationException if a property or a bean is not usable
	 */
	RpcClientBuilder builder(RpcClientProperties properties) {
		return OptionToPropertyNames.under(PREFIX, () -> {
			RpcClientBuilder builder = RpcClient.builder();
			applyProperties(properties, builder);
			applyBeans(builder);
			this.customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
			return builder;
		});
	}

	private void applyProperties(RpcClientProperties properties, RpcClientBuilder builder) {
		properties.applyTo(builder, this.environment.getProperty("rpc.server.zone", ""));
		if (TlsBundles.isSet(this.environment, PREFIX + "wait-for-instance")
				|| !properties.waitForInstance().equals(RpcClientProperties.WAIT)) {
			builder.waitForInstance(properties.waitForInstance());
		}
		TimeoutUnitCheck.warnOf(PREFIX + "timeout", properties.timeout());
		builder.applicationName(ApplicationName.of(this.environment));
		if (!properties.ssl().bundle().isEmpty()) {
			builder.tls(this.tls.get(PREFIX + "ssl.bundle", properties.ssl().bundle()));
		}
		CredentialsProvider provider = credentials(properties.auth());
		if (provider != null) {
			builder.credentials(provider);
		}
		if (properties.auth().allowClearText()) {
			builder.allowClearTextCredentials();
		}
		builder.serializer(this.serializers.get(PREFIX + "serializer", properties.serializer()))
			.grpcTypes(this.serializers.types());
	}

	/** Returns the only or primary bean, else the secret; null without both. */
	private @Nullable CredentialsProvider credentials(Auth auth) {
		CredentialsProvider bean = this.credentials.getIfUnique();
		if (bean != null) {
			requireOnly(bean, auth);
			return bean;
		}
		if (!auth.oauth2Registration().isEmpty()) {
			throw new InvalidPropertyException(PREFIX + "auth.oauth2-registration",
					"'" + auth.oauth2Registration() + "'",
					"none without the client registrations of spring-security-oauth2-client");
		}
		return auth.secret().isEmpty() ? null : SharedSecretProperty.of(SECRET, auth.secret(),
				"Set %s to the secret of the servers.".formatted(SECRET));
	}

	/** Rejects a property beside a bean: all servers would get the other credentials. */
	private void requireOnly(CredentialsProvider bean, Auth auth) {
		String name = Stream.of(this.beanFactory.getBeanNamesForType(CredentialsProvider.class))
			.filter((each) -> this.beanFactory.getBean(each) == bean)
			.findFirst()
			.orElse("");
		boolean isChosen = this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getBeanDefinition(name).isPrimary();
		boolean isOfRegistration = name.equals("rpcOAuth2Credentials");
		String property = !auth.secret().isEmpty() ? SECRET
				: (!auth.oauth2Registration().isEmpty() && !isOfRegistration) ? PREFIX + "auth.oauth2-registration"
						: "";
		if (!property.isEmpty() && !isChosen) {
			throw new RpcConfigurationException(
					"%s: set, but the bean '%s' gives credentials to all references (expected: one of both)"
						.formatted(property, name),
					"Remove the property; or declare a bean of single references with @Bean(defaultCandidate = false).");
		}
	}

	private void applyBeans(RpcClientBuilder builder) {
		new PolicyBeans(this.beanFactory).requireNamesOfCredentials();
		LoadBalancerBeans.applyTo(builder, this.beanFactory);
		this.registry.ifAvailable(builder::registry);
		boolean inProcess = this.registry.getIfAvailable() instanceof InMemoryRegistry;
		LocalServiceAdvice local = new LocalServiceAdvice(this.beanFactory, inProcess);
		builder.adviceWithoutInstance(local).expectedServices(local::isExpected);
		builder.metrics(RpcMetrics.all(this.metrics.orderedStream().toList()));
		this.listeners.orderedStream().forEach(builder::connectionListener);
		this.interceptors.orderedStream().forEach(builder::interceptor);
	}

}
