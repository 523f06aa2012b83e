package io.rpcboot.test.context;

import io.micrometer.common.KeyValues;
import io.rpcboot.spring.observation.DefaultRpcServerObservationConvention;
import io.rpcboot.spring.observation.RpcServerObservationContext;

import org.springframework.stereotype.Component;

@Component
class TenantConvention extends DefaultRpcServerObservationConvention {

	@Override
	public KeyValues getHighCardinalityKeyValues(RpcServerObservationContext context) {
		String tenant = context.getInvocation().attachments().get("tenant");
		return super.getHighCardinalityKeyValues(context).and("tenant", String.valueOf(tenant));
	}

}
