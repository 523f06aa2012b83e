package io.rpcboot.test.shop;

import java.io.IOException;

import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class RpcTestComponentsTests {

	@Test
	void services_areIncluded() throws Exception {
		assertThat(isExcluded(Plain.class, StockService.class)).isFalse();
		assertThat(isExcluded(Plain.class, OrderController.class)).isTrue();
	}

	@Test
	void adviceAndInterceptors_areIncluded() throws Exception {
		assertThat(isExcluded(Plain.class, Advice.class)).isFalse();
		assertThat(isExcluded(Plain.class, Interceptor.class)).isFalse();
	}

	@Test
	void namedComponents_areIncluded() throws Exception {
		assertThat(isExcluded(Named.class, StockService.class)).isFalse();
		assertThat(isExcluded(Named.class, OrderController.class)).isFalse();
	}

	private static boolean isExcluded(Class<?> testClass, Class<?> component) throws Exception {
		Class<?> type = MergedAnnotations.from(RpcTest.class).get(TypeExcludeFilters.class).getClassArray("value")[0];
		TypeExcludeFilter filter = (TypeExcludeFilter) ReflectionUtils.accessibleConstructor(type, Class.class)
			.newInstance(testClass);
		return match(filter, component);
	}

	private static boolean match(TypeExcludeFilter filter, Class<?> component) throws IOException {
		MetadataReaderFactory factory = new SimpleMetadataReaderFactory();
		return filter.match(factory.getMetadataReader(component.getName()), factory);
	}

	@RpcAdvice
	static class Advice {

	}

	static class Interceptor implements RpcClientInterceptor {

		@Override
		public Object intercept(ClientInvocation call) throws Throwable {
			return call.proceed();
		}

	}

	@RpcTest
	static class Plain {

	}

	@RpcTest(OrderController.class)
	static class Named {

	}

}
