package io.rpcboot.spring.reference;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.ReferenceWrapper;
import io.rpcboot.client.RpcClient;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.reference.RpcReferences.Declared;
import io.rpcboot.spring.reference.RpcReferences.Made;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Creates the proxy of a reference. The proxy needs no client until {@link #connect()} or
 * its first call, so early injection causes no cycle.
 *
 * @since 0.1.0
 */
public final class RpcReferenceFactoryBean<T> implements FactoryBean<T>, BeanFactoryAware {

	private final ReferenceKey key;

	private final T proxy;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	private volatile @Nullable InvocationHandler target;

	private volatile @Nullable Made made;

	// raw types, because Spring caches the generic types of parameters with each bean
	@SuppressWarnings({ "rawtypes", "unchecked" })
	RpcReferenceFactoryBean(Class type, Map attributes) {
		this.key = ReferenceKey.of(type, MergedAnnotation.of(RpcReference.class, attributes));
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
		return new Declared(this.key.type(), this.key.name(), this.key.version(), this.key.group());
	}

	/**
	 * Returns the effective options of the client's reference; null before it is created.
	 */
	@Nullable Made made() {
		return this.made;
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
		if (this.beanFactory == null) {
			throw new IllegalStateException("No bean factory for " + this.key.beanName());
		}
		ReferenceOptions options = declaredOptions(new PolicyBeans(this.beanFactory));
		OptionValues values = new OptionValues(OptionValues.of(ReferenceOptions.defaults()));
		values.changed(OptionValues.of(options), "@RpcReference", Map.of());
		for (RpcReferenceCustomizer customizer : this.beanFactory.getBeanProvider(RpcReferenceCustomizer.class)
			.orderedStream()
			.toList()) {
			options = customizer.customize(this.key.type(), this.key.name(), options);
			values.changed(OptionValues.of(options), OptionValues.nameOf(customizer),
					customizer.origins(this.key.type(), this.key.name(), options));
		}
		// calls the engine's handler directly: one reflective call less per call
		InvocationHandler handler = Proxy.getInvocationHandler(reference(client(this.beanFactory), options));
		this.made = new Made(this.key.beanName(),
				new ServiceId(this.key.type().getName(), options.version(), options.group()), this.key.type(),
				values.values(), values.origins());
		return handler;
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
			String message = String.valueOf(ex.getMessage());
			throw new RpcConfigurationException("@RpcReference of %s: %s".formatted(this.key.type().getName(), message),
					message.endsWith("has no registry") ? actionWithoutRegistry() : ex.action());
		}
	}

	private String actionWithoutRegistry() {
		Environment environment = (this.beanFactory != null)
				? this.beanFactory.getBeanProvider(Environment.class).getIfAvailable() : null;
		String type = (environment != null) ? environment.getProperty("rpc.registry.type", "") : "";
		return "Set rpc.registry.type to in-memory, zookeeper or discovery-client%s, or rpc.client.services.%s.addresses to the addresses of its servers."
			.formatted(type.isEmpty() ? "" : " instead of " + type, this.key.type().getSimpleName());
	}

	private ReferenceOptions declaredOptions(PolicyBeans beans) {
		String where = "@RpcReference of " + this.key.type().getName() + " has ";
		ReferenceOptions options = ReferenceOptions.defaults()
			.withVersion(this.key.version())
			.withGroup(this.key.group())
			.withDetached(this.key.detached())
			.withInterceptors(
					beans.interceptors(where + "interceptors", RpcClientInterceptor.class, this.key.interceptors()));
		if (this.key.hasFallback()) {
			options = options.withFallback(beans.fallback(where + "fallback", this.key.type(), this.key.fallback()));
		}
		String wait = this.key.waitForInstance();
		if (!wait.isEmpty()) {
			options = options.withWaitForInstance(waitForInstance(wait));
		}
		if (this.key.timeout().isEmpty()) {
			return options;
		}
		Duration timeout = parsed(this.key.timeout());
		if (timeout == null || timeout.isZero() || timeout.isNegative()) {
			throw new RpcConfigurationException(
					"@RpcReference of %s has timeout = \"%s\" (expected: a positive duration such as 500ms, 2s or PT2S)"
						.formatted(this.key.type().getName(), this.key.timeout()),
					"Correct the timeout, or leave it out to use rpc.client.timeout.");
		}
		return options.withTimeout(timeout);
	}

	private Duration waitForInstance(String text) {
		Duration wait = parsed(text);
		if (wait == null || wait.isNegative()) {
			throw new RpcConfigurationException(
					"@RpcReference of %s has waitForInstance = \"%s\" (expected: a duration such as 500ms or 2s, 0s to never wait)"
						.formatted(this.key.type().getName(), text),
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
