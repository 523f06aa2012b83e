package io.rpcboot.test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceWrapper;
import io.rpcboot.spring.reference.RpcReferenceOverrides;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;

/**
 * Wraps references, so that faults apply to their calls. Innermost proxy, because aspects
 * around references see faults as they see failed calls.
 */
final class FaultPostProcessor implements BeanPostProcessor, PriorityOrdered {

	private final ActiveFaults faults;

	FaultPostProcessor(ActiveFaults faults) {
		this.faults = faults;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		boolean reference = name.startsWith(RpcReferenceOverrides.REFERENCE_PREFIX)
				&& Proxy.isProxyClass(bean.getClass());
		return reference ? reference(bean, bean.getClass().getInterfaces()[0]) : bean;
	}

	private Object reference(Object reference, Class<?> type) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				new FaultyReference(reference, type, this.faults));
	}

	/** Reference with faults. A fault fails a broadcast as a whole. */
	private record FaultyReference(Object reference, Class<?> type, ActiveFaults faults) implements ReferenceWrapper {

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			if (method.getDeclaringClass() == Object.class && !method.getName().equals("toString")) {
				return (arguments != null) ? proxy == arguments[0] : System.identityHashCode(proxy);
			}
			if (method.isDefault() && ServiceDescriptor.isLocal(method)) {
				return InvocationHandler.invokeDefault(proxy, method, arguments);
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

}
