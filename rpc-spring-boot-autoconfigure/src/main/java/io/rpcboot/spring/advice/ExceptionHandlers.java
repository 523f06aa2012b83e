package io.rpcboot.spring.advice;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.RpcExceptionHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.ExceptionDepthComparator;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** The {@link RpcExceptionHandler} methods of one bean. */
final class ExceptionHandlers {

	private final Object bean;

	private final Class<?> type;

	/** Methods by exception class, sorted by class name. */
	private final Map<Class<? extends Throwable>, Method> methods = new TreeMap<>(
			(one, other) -> one.getName().compareTo(other.getName()));

	ExceptionHandlers(Object bean, Class<?> type) {
		this.bean = bean;
		this.type = type;
		MethodIntrospector
			.selectMethods(type,
					(MethodIntrospector.MetadataLookup<@Nullable RpcExceptionHandler>) (method) -> AnnotatedElementUtils
						.findMergedAnnotation(method, RpcExceptionHandler.class))
			.forEach(this::add);
		if (this.methods.isEmpty()) {
			throw new RpcConfigurationException(
					"@RpcAdvice %s has no method with @RpcExceptionHandler".formatted(type.getName()),
					"Add one, or remove @RpcAdvice.");
		}
	}

	private void add(Method method, RpcExceptionHandler annotation) {
		Class<? extends Throwable> parameter = null;
		for (Class<?> each : method.getParameterTypes()) {
			if (Throwable.class.isAssignableFrom(each) && parameter == null) {
				parameter = each.asSubclass(Throwable.class);
			}
			else if (each != RpcContext.class && each != MethodDescriptor.class) {
				throw refusal(method, "a parameter of type " + each.getTypeName());
			}
		}
		if (parameter == null) {
			throw refusal(method, "no parameter for the exception");
		}
		if (!Throwable.class.isAssignableFrom(method.getReturnType()) && method.getReturnType() != void.class) {
			throw refusal(method, "the return type " + method.getReturnType().getTypeName());
		}
		List<Class<? extends Throwable>> handled = (annotation.value().length > 0) ? Arrays.asList(annotation.value())
				: List.of(parameter);
		Method invocable = invocable(method);
		for (Class<? extends Throwable> each : handled) {
			if (!parameter.isAssignableFrom(each)) {
				throw refusal(method, "a parameter that takes no " + each.getName());
			}
			Method other = this.methods.put(each, invocable);
			if (other != null) {
				throw new RpcConfigurationException("@RpcAdvice %s: %s and %s both handle %s".formatted(
						this.type.getName(), other.getName(), method.getName(), each.getName()), "Remove one of them.");
			}
		}
	}

	/** Returns the method as the bean, possibly a proxy, declares it. */
	private Method invocable(Method method) {
		try {
			Method invocable = AopUtils.selectInvocableMethod(method, this.bean.getClass());
			ReflectionUtils.makeAccessible(invocable);
			return invocable;
		}
		catch (IllegalStateException ex) {
			throw new RpcConfigurationException(
					"@RpcExceptionHandler %s.%s cannot be called through the proxy of its bean"
						.formatted(this.type.getName(), method.getName()),
					Modifier.isPrivate(method.getModifiers()) ? "Make the method package-private or more."
							: "Declare the method in an interface of the class, or let Spring proxy classes: "
									+ "spring.aop.proxy-target-class=true, which is the default.",
					ex);
		}
	}

	private RpcConfigurationException refusal(Method method, String what) {
		return new RpcConfigurationException(
				"@RpcExceptionHandler %s.%s has %s (expected: the exception, optionally RpcContext and MethodDescriptor; "
					.formatted(this.type.getName(), method.getName(), what) + "it returns an exception or nothing)",
				"Correct the method.");
	}

	/** Returns what the caller receives; null if no method handles the exception. */
	@Nullable Throwable handle(Throwable thrown, ServerInvocation call) {
		List<Class<? extends Throwable>> fitting = new ArrayList<>();
		for (Class<? extends Throwable> each : this.methods.keySet()) {
			if (each.isInstance(thrown)) {
				fitting.add(each);
			}
		}
		if (fitting.isEmpty()) {
			return null;
		}
		Method method = this.methods.get(ExceptionDepthComparator.findClosestMatch(fitting, thrown));
		return (method != null) ? invoke(method, thrown, call) : null;
	}

	private @Nullable Throwable invoke(Method method, Throwable thrown, ServerInvocation call) {
		Object[] arguments = new Object[method.getParameterCount()];
		for (int i = 0; i < arguments.length; i++) {
			Class<?> type = method.getParameterTypes()[i];
			arguments[i] = (type == RpcContext.class) ? call.context()
					: (type == MethodDescriptor.class) ? call.method() : thrown;
		}
		try {
			return (Throwable) method.invoke(this.bean, arguments);
		}
		catch (InvocationTargetException ex) {
			return (ex.getCause() != null) ? ex.getCause() : ex;
		}
		catch (IllegalAccessException ex) {
			return ex;
		}
	}

	@Override
	public String toString() {
		return "@RpcAdvice " + this.type.getName();
	}

}
