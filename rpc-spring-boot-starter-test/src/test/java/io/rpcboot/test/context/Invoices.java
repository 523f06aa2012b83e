package io.rpcboot.test.context;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

public interface Invoices {

	@RpcMethod(idempotent = true)
	String find(long number);

	CompletableFuture<String> findLater(long number);

	String print(long number);

	@RpcMethod(timeout = "2s")
	long millisLeft();

}
