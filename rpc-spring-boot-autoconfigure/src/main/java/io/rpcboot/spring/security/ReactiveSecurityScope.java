package io.rpcboot.spring.security;

import reactor.core.publisher.Mono;

import org.springframework.security.core.context.ReactiveSecurityContextHolderThreadLocalAccessor;
import org.springframework.security.core.context.SecurityContext;

/**
 * Security context that operators of a stream or a {@code Mono} of a call get by
 * {@code ReactiveSecurityContextHolder}, on whichever thread they run. Needs Reactor and
 * Micrometer's context propagation.
 */
final class ReactiveSecurityScope {

	private static final ReactiveSecurityContextHolderThreadLocalAccessor holder = new ReactiveSecurityContextHolderThreadLocalAccessor();

	private ReactiveSecurityScope() {
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
