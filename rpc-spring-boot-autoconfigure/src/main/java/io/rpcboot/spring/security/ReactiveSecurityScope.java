package io.rpcboot.spring.security;

import reactor.core.publisher.Mono;

import org.springframework.security.core.context.ReactiveSecurityContextHolderThreadLocalAccessor;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.util.ClassUtils;

/**
 * Security context that operators of a stream or a {@code Mono} of a call get by
 * {@code ReactiveSecurityContextHolder}, on whichever thread they run.
 */
final class ReactiveSecurityScope {

	private static final ReactiveSecurityContextHolderThreadLocalAccessor holder = new ReactiveSecurityContextHolderThreadLocalAccessor();

	private ReactiveSecurityScope() {
	}

	/** Returns true if Reactor and Micrometer's context propagation are there. */
	static boolean isAvailable() {
		ClassLoader loader = ReactiveSecurityScope.class.getClassLoader();
		return ClassUtils.isPresent("reactor.core.publisher.Mono", loader)
				&& ClassUtils.isPresent("io.micrometer.context.ThreadLocalAccessor", loader);
	}

	/** Sets the context for publishers that the thread subscribes to. */
	static Runnable open(SecurityContext context) {
		Mono<SecurityContext> before = holder.getValue();
		holder.setValue(Mono.just(context));
		return () -> {
			if (before != null) {
				holder.setValue(before);
			}
			else {
				holder.setValue();
			}
		};
	}

}
