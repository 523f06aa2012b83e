package io.rpcboot.test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceWrapper;
import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcReferenceOverrides;
import io.rpcboot.spring.RpcService;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Puts faults before references and services. A service that is called inside its own
 * context, not remotely, has none.
 */
final class FaultPostProcessor implements BeanPostProcessor {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ActiveFaults faults;

	FaultPostProcessor(ConfigurableListableBeanFactory beanFactory, ActiveFaults faults) {
		this.beanFactory = beanFactory;
		this.faults = faults;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof FactoryBean) {
			return bean;
		}
		if (name.startsWith(RpcReferenceOverrides.REFERENCE_PREFIX) && Proxy.isProxyClass(bean.getClass())) {
			return reference(bean, bean.getClass().getInterfaces()[0]);
		}
		boolean service = this.beanFactory.containsBean(name)
				&& this.beanFactory.findAnnotationOnBean(name, RpcService.class, false) != null;
		return service ? service(bean) : bean;
	}

	private Object reference(Object reference, Class<?> type) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				new FaultyReference(reference, type, this.faults));
	}

	/** Stands before a reference. A fault refuses a broadcast as a whole. */
	private record FaultyReference(Object reference, Class<?> type, ActiveFaults faults) implements ReferenceWrapper {

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			if (method.getDeclaringClass() == Object.class && !method.getName().equals("toString")) {
				return (arguments != null) ? proxy == arguments[0] : System.identityHashCode(proxy);
			}
			RpcException refusal = (method.getDeclaringClass() != Object.class) ? this.faults.beforeSending(this.type)
					: null;
			return (refusal != null) ? refuse(method, refusal) : call(this.reference, method, arguments);
		}

		@Override
		public InvocationHandler wrapped() {
			RpcException refusal = this.faults.beforeSending(this.type);
			if (refusal != null) {
				throw refusal;
			}
			return Proxy.getInvocationHandler(this.reference);
		}

	}

	private static Object refuse(Method method, RpcException refusal) {
		if (method.getReturnType().isAssignableFrom(CompletableFuture.class)
				&& method.getReturnType() != Object.class) {
			return CompletableFuture.failedFuture(refusal);
		}
		throw refusal;
	}

	private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private Object service(Object bean) {
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(!Modifier.isFinal(bean.getClass().getModifiers()));
		factory.addAdvice((MethodInterceptor) (invocation) -> {
			if (RpcContext.current() != null) {
				this.faults.beforeRunning(bean);
			}
			return invocation.proceed();
		});
		return factory.getProxy(ClassUtils.getDefaultClassLoader());
	}

}
