package io.rpcboot.test;

import java.util.Set;

import io.rpcboot.spring.RpcService;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Leaves out every component but services and those that {@link RpcTest} names. */
final class RpcTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<RpcTest> {

	RpcTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return Set.of(RpcService.class);
	}

	@Override
	protected Set<Class<?>> getComponentIncludes() {
		return Set.of(getAnnotation().getClassArray("components"));
	}

}
