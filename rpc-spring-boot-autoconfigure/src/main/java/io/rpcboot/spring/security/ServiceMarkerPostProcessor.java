package io.rpcboot.spring.security;

import java.util.List;

import io.rpcboot.spring.service.RpcServiceExporter;
import io.rpcboot.spring.service.ServiceEntry;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts a {@link ServiceEntry#marker()} into the proxies of service beans whose first
 * advice is a check of method security. Behind other advice a marker would prove nothing.
 * Runs after all post-processors with an order, thus after those that make proxies.
 */
final class ServiceMarkerPostProcessor implements BeanPostProcessor {

	/** Packages of the advice, and of its wrappers. */
	private static final List<String> CHECKS = List.of("org.springframework.security.authorization.method.",
			"org.springframework.security.config.annotation.method.configuration.");

	private final ObjectProvider<RpcServiceExporter> services;

	ServiceMarkerPostProcessor(ObjectProvider<RpcServiceExporter> services) {
		this.services = services;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised proxy && !proxy.isFrozen()) {
			int checks = 0;
			int first = 0;
			for (Advisor each : proxy.getAdvisors()) {
				if (!isCheck(each) && each != ExposeInvocationInterceptor.ADVISOR) {
					break;
				}
				checks += isCheck(each) ? 1 : 0;
				first++;
			}
			if (checks > 0 && isService(beanName)) {
				proxy.addAdvisor(first, new DefaultPointcutAdvisor(ServiceEntry.marker()));
			}
		}
		return bean;
	}

	private boolean isService(String beanName) {
		RpcServiceExporter exporter = this.services.getIfAvailable();
		return exporter != null && exporter.isService(beanName);
	}

	private static boolean isCheck(Advisor advisor) {
		String name = advisor.getAdvice().getClass().getName();
		return CHECKS.stream().anyMatch(name::startsWith);
	}

}
