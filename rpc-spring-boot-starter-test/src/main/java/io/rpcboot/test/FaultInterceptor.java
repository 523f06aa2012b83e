package io.rpcboot.test;

import java.util.stream.Stream;

import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;

/**
 * Applies faults to the calls of a service. Innermost interceptor; the bean is unchanged,
 * so local calls have no faults.
 *
 * @param service the interface
 * @param faults faults of the test
 */
record FaultInterceptor(Class<?> service, ActiveFaults faults) implements RpcServerInterceptor {

	@Override
	public @Nullable Object intercept(ServerInvocation invocation) throws Throwable {
		this.faults.beforeRunning(this.service);
		Class<?> type = invocation.method().method().getReturnType();
		return this.faults.result(this.service, type, invocation.proceed());
	}

	ServiceOptions innermost(ServiceOptions options) {
		return options.withInterceptors(Stream.concat(options.interceptors().stream(), Stream.of(this)).toList());
	}

}
