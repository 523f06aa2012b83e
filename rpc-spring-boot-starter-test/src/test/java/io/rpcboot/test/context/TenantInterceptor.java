package io.rpcboot.test.context;

import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;

import org.springframework.stereotype.Component;

@Component
class TenantInterceptor implements RpcClientInterceptor {

	private final Tenant tenant;

	TenantInterceptor(Tenant tenant) {
		this.tenant = tenant;
	}

	@Override
	public Object intercept(ClientInvocation call) throws Throwable {
		call.attachments().put("tenant", this.tenant.name()).put("authorization", "Bearer " + this.tenant.token());
		return call.proceed();
	}

}
