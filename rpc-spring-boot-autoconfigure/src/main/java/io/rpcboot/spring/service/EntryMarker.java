package io.rpcboot.spring.service;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;

/**
 * Advice of a service bean's proxy, right behind the checks of method security that come
 * first. A call that these have refused, and that has not reached the marker, has entered
 * neither the body nor another advice.
 */
final class EntryMarker implements MethodInterceptor {

	@Override
	@SuppressWarnings("NullAway") // the method may return null
	public Object invoke(MethodInvocation invocation) throws Throwable {
		ServiceEntry entry = ServiceEntry.current();
		if (entry != null) {
			entry.entered();
		}
		return invocation.proceed();
	}

	/** Returns a supplier that tells the entry of the calling thread of marked beans. */
	static Supplier<Object> watching(Supplier<Object> beans) {
		return () -> {
			Object bean = beans.get();
			ServiceEntry entry = ServiceEntry.current();
			if (entry != null) {
				entry.begins(isMarked(bean));
			}
			return bean;
		};
	}

	private static boolean isMarked(Object bean) {
		if (bean instanceof Advised proxy) {
			for (Advisor each : proxy.getAdvisors()) {
				if (each.getAdvice() instanceof EntryMarker) {
					return true;
				}
			}
		}
		return false;
	}

}
