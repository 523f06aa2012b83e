package io.rpcboot.spring.service;

import java.util.Arrays;
import java.util.List;

import io.rpcboot.RpcCallback;
import io.rpcboot.spring.RpcService;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Registers hints for native images: proxies of the callbacks that methods of services
 * get.
 */
final class CallbackAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		if (bean.getBeanFactory().findAnnotationOnBean(bean.getBeanName(), RpcService.class, false) == null) {
			return null;
		}
		List<Class<?>> callbacks = Arrays.stream(ClassUtils.getAllInterfacesForClass(bean.getBeanClass()))
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.flatMap((method) -> Arrays.stream(method.getParameters()))
			.filter((each) -> each.isAnnotationPresent(RpcCallback.class))
			.<Class<?>>map((each) -> each.getType())
			.filter(Class::isInterface)
			.distinct()
			.toList();
		return callbacks.isEmpty() ? null : (generation, code) -> callbacks
			.forEach((each) -> generation.getRuntimeHints().proxies().registerJdkProxy(each));
	}

}
