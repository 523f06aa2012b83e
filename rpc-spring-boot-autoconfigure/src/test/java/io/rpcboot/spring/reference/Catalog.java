package io.rpcboot.spring.reference;

import java.util.concurrent.CompletableFuture;

import io.micrometer.core.annotation.Timed;
import io.micrometer.observation.annotation.Observed;
import io.rpcboot.RpcMethod;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;

/** A service with annotations of Spring and Micrometer, which apply to its references. */
public interface Catalog extends RetriedCatalog {

	@RpcMethod(idempotent = true, timeout = "20s")
	String marked(String id);

	String tenant();

	@Retryable(maxRetries = 3, delay = 1)
	String repeated(String id);

	@ConcurrencyLimit(1)
	void limited();

	@Cacheable("catalog")
	String cached(String id);

	@Async
	CompletableFuture<String> later(String id);

	@Timed("catalog.timed")
	String timed(String id);

	@Observed(name = "catalog.observed")
	String observed(String id);

}
