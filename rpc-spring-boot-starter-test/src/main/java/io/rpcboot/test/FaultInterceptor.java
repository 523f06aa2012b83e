package io.rpcboot.test;

import java.util.stream.Stream;

import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;

/**
 * Stands before an implementation, inside of all other interceptors. The bean stays what
 * it is, and calls that do not come from outside have no faults.
 *
 * @param service the interface
 * @param faults of the test
 */
record FaultInterceptor(Class<?> service, ActiveFaults faults) implements RpcServerInterceptor {

	@Override
	public @Nullable Object intercept(ServerInvocation invocation) throws Throwable {
		this.faults.beforeRunning(this.service);
		return invocation.proceed();
	}

	ServiceOptions innermost(ServiceOptions options) {
		return options.withInterceptors(Stream.concat(options.interceptors().stream(), Stream.of(this)).toList());
	}

}
