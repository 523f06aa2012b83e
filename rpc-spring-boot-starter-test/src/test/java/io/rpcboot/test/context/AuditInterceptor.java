package io.rpcboot.test.context;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

@Component
@Order(2)
class AuditInterceptor implements RpcServerInterceptor {

	final List<String> log = new CopyOnWriteArrayList<>();

	@Override
	public Object intercept(ServerInvocation call) throws Throwable {
		String who = call.attachments().get("tenant");
		call.onEnd((outcome) -> this.log.add("%s called %s from %s: %s in %s".formatted(who, call.method().name(),
				call.context().connection().remote(), outcome.status(), outcome.duration())));
		return call.proceed();
	}

}
