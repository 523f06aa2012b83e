package io.rpcboot.spring.reference;

import io.rpcboot.client.ReferenceUnwrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;

/**
 * Looks through the proxies of Spring: those of aspects and annotations, and those of
 * {@code @Lazy} and scopes.
 *
 * @since 0.1.0
 */
public final class AopReferenceUnwrapper implements ReferenceUnwrapper {

	/** Creates an unwrapper. */
	public AopReferenceUnwrapper() {
	}

	@Override
	public @Nullable Object unwrap(Object proxy) {
		if (!(proxy instanceof Advised advised)) {
			return null;
		}
		try {
			return advised.getTargetSource().getTarget();
		}
		catch (Exception ex) {
			throw new IllegalStateException(
					"The target of proxy %s is not available".formatted(proxy.getClass().getName()), ex);
		}
	}

}
