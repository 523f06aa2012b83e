package io.rpcboot.benchmarks.ours;

import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An interceptor on each side: the client's sends three attachments along, the server's
 * looks at one of them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = WithContext.SWITCH)
class WithContext {

	static final String SWITCH = "bench.context";

	@Bean
	RpcClientInterceptor sender() {
		return (invocation) -> {
			invocation.attachments()
				.put("tenant", "acme")
				.put("language", "de-CH")
				.put("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
			return invocation.proceed();
		};
	}

	@Bean
	RpcServerInterceptor reader() {
		return (invocation) -> {
			if (invocation.attachments().get("tenant") == null) {
				throw new IllegalStateException("no tenant");
			}
			return invocation.proceed();
		};
	}

}
