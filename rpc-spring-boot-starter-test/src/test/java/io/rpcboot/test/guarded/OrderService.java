package io.rpcboot.test.guarded;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcService;

import org.springframework.security.access.prepost.PreAuthorize;

@RpcService
class OrderService implements Orders {

	@Override
	public String find(long id) {
		return "order " + id;
	}

	@Override
	@PreAuthorize("hasAuthority('SCOPE_cancel')")
	public String cancel(long id) {
		return "cancelled " + id;
	}

	@Override
	@PreAuthorize("hasRole('BACKOFFICE')")
	public CompletableFuture<String> refund(long id) {
		return CompletableFuture.completedFuture("refunded " + id);
	}

	@Override
	public String caller() {
		return Objects.requireNonNull(RpcContext.current()).caller().getName();
	}

}
