package io.rpcboot.spring.reference;

import org.springframework.resilience.annotation.Retryable;

/** The part of {@link Catalog} with an annotation on the type. */
@Retryable(maxRetries = 3, delay = 1)
public interface RetriedCatalog {

	String flaky(String id);

}
