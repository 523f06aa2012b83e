package io.rpcboot.test.context;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

@Component
@Order(1)
class AuthenticationInterceptor implements RpcServerInterceptor {

	@Override
	public Object intercept(ServerInvocation call) throws Throwable {
		if (!"Bearer right".equals(call.attachments().get("authorization"))) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "no valid token", false);
		}
		return call.proceed();
	}

	@Override
	public Position position() {
		return Position.BEFORE_ARGUMENTS;
	}

}
