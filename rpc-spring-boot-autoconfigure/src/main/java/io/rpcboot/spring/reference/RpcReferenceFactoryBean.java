package io.rpcboot.spring.reference;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.ReferenceWrapper;
import io.rpcboot.client.RpcClient;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.reference.RpcReferences.Declared;
import io.rpcboot.spring.reference.RpcReferences.Made;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Creates the proxy of a reference. The proxy needs no client until {@link #connect()} or
 * its first call, so early injection causes no cycle. Aspects may apply to the proxy, not
 * to this factory.
 *
 * @since 0.1.0
 */
public final class RpcReferenceFactoryBean<T> implements FactoryBean<T>, BeanFactoryAware, AopInfrastructureBean {

	private final ReferenceKey key;

	private final T proxy;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/** The key with the values of placeholders, null before they are known. */
	private volatile @Nullable ReferenceKey resolved;

	private volatile @Nullable InvocationHandler target;

	/** The client's reference, null before it is created. */
	private @Nullable Object reference;

	private volatile @Nullable Made made;

	// raw types, because Spring caches the generic types of parameters with each bean
	@SuppressWarnings({ "rawtypes", "unchecked" })
	RpcReferenceFactoryBean(Class type, Map attributes) {
		this.key = ReferenceKey.of(type, (Map<String, Object>) attributes);
		this.proxy = (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, new Handler());
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	@Override
	public T getObject() {
		return this.proxy;
	}

	@Override
	public Class<?> getObjectType() {
		return this.key.type();
	}

	public Class<?> type() {
		return this.key.type();
	}

	Declared declared() {
		ReferenceKey resolved = resolved();
		return new Declared(resolved.type(), resolved.name(), resolved.version(), resolved.group());
	}

	private ReferenceKey resolved() {
		ReferenceKey resolved = this.resolved;
		if (resolved == null) {
			AttributeResolver values = new AttributeResolver(beanFactory());
			resolved = this.key.resolved((attribute, text) -> values.resolve(where(), attribute, text));
			this.resolved = resolved;
		}
		return resolved;
	}

	private ConfigurableListableBeanFactory beanFactory() {
		if (this.beanFactory == null) {
			throw new IllegalStateException("No bean factory for " + this.key.beanName());
		}
		return this.beanFactory;
	}

	/**
	 * Returns the annotation and its place; ahead-of-time processing drops the member.
	 */
	private String where() {
		String name = this.key.beanName();
		String description = beanFactory().containsBeanDefinition(name)
				? beanFactory().getBeanDefinition(name).getDescription() : null;
		return (description != null) ? description : "@RpcReference of " + this.key.type().getName();
	}

	/**
	 * Returns the effective options of the client's reference; null before it is created.
	 */
	@Nullable Made made() {
		return this.made;
	}

	/** Returns true if the options of this reference have TLS of its own. */
	boolean hasTls() {
		TlsOptions tls = configured().options().tls();
		return tls != null && tls.mode() != TlsOptions.Mode.DISABLED;
	}

	/**
	 * Creates the client's reference now.
	 * @throws RpcConfigurationException if the interface or an option is not usable
	 */
	public void connect() {
		target();
	}

	/** Handles calls of the proxy: creates the client's reference at the first one. */
	private final class Handler implements ReferenceWrapper {

		@Override
		public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
			if (method.getDeclaringClass() == Object.class) {
				return switch (method.getName()) {
					case "equals" -> arguments != null && self == arguments[0];
					case "hashCode" -> System.identityHashCode(self);
					default -> RpcReferenceFactoryBean.this.key.beanName();
				};
			}
			InvocationHandler target = RpcReferenceFactoryBean.this.target;
			return ((target != null) ? target : target()).invoke(self, method, arguments);
		}

		@Override
		public InvocationHandler wrapped() {
			return target();
		}

	}

	private synchronized InvocationHandler target() {
		InvocationHandler target = this.target;
		if (target == null) {
			target = createTarget();
			this.target = target;
		}
		return target;
	}

	private InvocationHandler createTarget() {
		Configured configured = configured();
		Object reference = reference(client(beanFactory()), configured.options());
		this.reference = reference;
		this.made = made(configured);
		// calls the engine's handler directly: one reflective call less per call
		return Proxy.getInvocationHandler(reference);
	}

	/**
	 * Computes the options again, unless the client's reference is not created yet.
	 * @param change receives the client's reference and its options
	 * @return publishes the options; to be run once they are in use
	 */
	synchronized Runnable reconfigure(BiConsumer<Object, ReferenceOptions> change) {
		Object reference = this.reference;
		if (reference == null) {
			return () -> {
			};
		}
		Configured configured = configured();
		change.accept(reference, configured.options());
		return () -> this.made = made(configured);
	}

	private record Configured(ReferenceOptions options, OptionValues values) {
	}

	private Made made(Configured configured) {
		ReferenceOptions options = configured.options();
		OptionValues values = configured.values();
		ServiceId service = new ServiceId(this.key.type().getName(), options.version(), options.group());
		BinaryOperator<String> resolver = options.valueResolver();
		return new Made(this.key.beanName(), service,
				() -> ServiceDescriptor.of(this.key.type(), service.version(), service.group(), resolver),
				values.values(), values.origins());
	}

	private Configured configured() {
		ConfigurableListableBeanFactory beanFactory = beanFactory();
		ReferenceKey key = resolved();
		ReferenceOptions options = declaredOptions(key, new PolicyBeans(beanFactory));
		OptionValues values = new OptionValues(OptionValues.of(ReferenceOptions.defaults()));
		values.changed(OptionValues.of(options), "@RpcReference", Map.of());
		for (RpcReferenceCustomizer customizer : beanFactory.getBeanProvider(RpcReferenceCustomizer.class)
			.orderedStream()
			.toList()) {
			options = customizer.customize(key.type(), key.name(), options);
			values.changed(OptionValues.of(options), OptionValues.nameOf(customizer),
					customizer.origins(key.type(), key.name(), options));
		}
		return new Configured(options, values);
	}

	/** Returns the client, which Spring destroys after the users of this reference. */
	private RpcClient client(ConfigurableListableBeanFactory beanFactory) {
		RpcClient client = beanFactory.getBeanProvider(RpcClient.class).getIfAvailable();
		if (client == null) {
			throw new RpcConfigurationException(
					"@RpcReference of %s: there is no RPC client in this application context"
						.formatted(this.key.type().getName()),
					"In a slice test replace the reference with @MockitoBean or @TestBean, or use @SpringBootTest. "
							+ "In an application, include RpcClientAutoConfiguration.");
		}
		for (String name : beanFactory.getBeanNamesForType(RpcClient.class, true, false)) {
			beanFactory.registerDependentBean(name, this.key.beanName());
		}
		return client;
	}

	private Object reference(RpcClient client, ReferenceOptions options) {
		try {
			return client.reference(this.key.type(), options);
		}
		catch (RpcConfigurationException ex) {
			String message = named(String.valueOf(ex.getMessage()));
			throw new RpcConfigurationException("@RpcReference of %s: %s".formatted(this.key.type().getName(), message),
					message.endsWith("has no registry") ? actionWithoutRegistry() : named(ex.action()));
		}
	}

	/**
	 * Inserts the place of the properties of this reference into a text of the client.
	 */
	private String named(String text) {
		String name = resolved().name();
		return text.replace("rpc.client.references.<name>.",
				name.isEmpty() ? "rpc.client.services.%s.".formatted(this.key.type().getSimpleName())
						: "rpc.client.references.%s.".formatted(name));
	}

	private String actionWithoutRegistry() {
		Environment environment = (this.beanFactory != null)
				? this.beanFactory.getBeanProvider(Environment.class).getIfAvailable() : null;
		String type = (environment != null) ? environment.getProperty("rpc.registry.type", "") : "";
		return "Set rpc.registry.type to in-memory, zookeeper or discovery-client%s, or rpc.client.services.%s.addresses to the addresses of its servers."
			.formatted(type.isEmpty() ? "" : " instead of " + type, this.key.type().getSimpleName());
	}

	private ReferenceOptions declaredOptions(ReferenceKey key, PolicyBeans beans) {
		String where = "@RpcReference of " + key.type().getName() + " has ";
		ReferenceOptions options = ReferenceOptions.defaults()
			.withVersion(key.version())
			.withGroup(key.group())
			.withDetached(key.detached())
			.withValueResolver(new AttributeResolver(beanFactory())::ofMethod)
			.withInterceptors(
					beans.interceptors(where + "interceptors", RpcClientInterceptor.class, key.interceptors()));
		if (key.hasFallback()) {
			options = options.withFallback(beans.fallback(where + "fallback", key.type(), key.fallback()));
		}
		String wait = key.waitForInstance();
		if (!wait.isEmpty()) {
			options = options.withWaitForInstance(waitForInstance(key, wait));
		}
		if (!key.protocol().isEmpty()) {
			options = options.withProtocol(protocol(key));
		}
		if (key.timeout().isEmpty()) {
			return options;
		}
		Duration timeout = parsed(key.timeout());
		if (timeout == null || timeout.isZero() || timeout.isNegative()) {
			throw new RpcConfigurationException(
					"@RpcReference of %s has timeout = \"%s\" (expected: a positive duration such as 500ms, 2s or PT2S)"
						.formatted(key.type().getName(), key.timeout()),
					"Correct the timeout, or leave it out to use rpc.client.timeout.");
		}
		return options.withTimeout(timeout);
	}

	private static Protocol protocol(ReferenceKey key) {
		return switch (key.protocol().strip().toLowerCase(Locale.ROOT)) {
			case "native" -> Protocol.NATIVE;
			case "grpc" -> Protocol.GRPC;
			default -> throw new RpcConfigurationException(
					"@RpcReference of %s has protocol = \"%s\" (expected: native or grpc)"
						.formatted(key.type().getName(), key.protocol()),
					"Correct it, or leave it out to use rpc.client.protocol.");
		};
	}

	private static Duration waitForInstance(ReferenceKey key, String text) {
		Duration wait = parsed(text);
		if (wait == null || wait.isNegative()) {
			throw new RpcConfigurationException(
					"@RpcReference of %s has waitForInstance = \"%s\" (expected: a duration such as 500ms or 2s, 0s to never wait)"
						.formatted(key.type().getName(), text),
					"Correct it, or leave it out to use rpc.client.wait-for-instance.");
		}
		return wait;
	}

	private static @Nullable Duration parsed(String text) {
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
