package io.rpcboot.test.context;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;

import org.springframework.stereotype.Component;

@Component
class RetryInterceptor implements RpcClientInterceptor {

	private static final int ATTEMPTS = 3;

	@Override
	public Object intercept(ClientInvocation call) throws Throwable {
		if (call.method().style() != Style.BLOCKING) {
			return call.proceed();
		}
		while (true) {
			try {
				return call.proceed();
			}
			catch (RpcException ex) {
				boolean mayRepeat = !ex.mayHaveExecuted() || call.method().isIdempotent();
				if (!mayRepeat || call.attempts() == ATTEMPTS || call.remaining().isZero()) {
					throw ex;
				}
			}
		}
	}

}
