package io.rpcboot.test.context;

import java.util.Map;
import java.util.NoSuchElementException;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcAdvice;
import io.rpcboot.spring.RpcExceptionHandler;

@RpcAdvice
class InvoiceAdvice {

	@RpcExceptionHandler
	RpcException missing(NoSuchElementException ex) {
		return new RpcException(RpcStatus.NOT_FOUND, "there is no such invoice", true);
	}

	@RpcExceptionHandler
	RpcException denied(SecurityException ex, RpcContext call) {
		return new RpcException(RpcStatus.PERMISSION_DENIED, ex.getMessage(), true, null, ex,
				Map.of("tenant", String.valueOf(call.attachments().get("tenant"))));
	}

	@RpcExceptionHandler(ArithmeticException.class)
	void declared(Exception ex) throws InvoiceException {
		throw new InvoiceException(ex.getMessage());
	}

}
