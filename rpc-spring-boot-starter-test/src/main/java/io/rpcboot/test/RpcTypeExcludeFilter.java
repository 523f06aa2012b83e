package io.rpcboot.test;

import java.util.Set;

import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcClientBuilderCustomizer;
import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.transport.RpcConnectionListener;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/**
 * Excludes all components except services, what applies to their calls, and those that
 * {@link RpcTest} names.
 */
final class RpcTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<RpcTest> {

	private static final Set<Class<?>> INCLUDES = Set.of(RpcService.class, RpcAdvice.class, RpcServerInterceptor.class,
			RpcClientInterceptor.class, Serializer.class, RpcConnectionListener.class, RpcServerBuilderCustomizer.class,
			RpcClientBuilderCustomizer.class, RpcServiceCustomizer.class, RpcReferenceCustomizer.class);

	RpcTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return INCLUDES;
	}

	@Override
	protected Set<Class<?>> getComponentIncludes() {
		return Set.of(getAnnotation().getClassArray("components"));
	}

}
