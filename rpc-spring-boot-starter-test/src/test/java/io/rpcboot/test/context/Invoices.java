package io.rpcboot.test.context;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;
import io.rpcboot.context.RpcContext;

public interface Invoices {

	@RpcMethod(idempotent = true)
	String find(long number);

	CompletableFuture<String> findLater(long number);

	String print(long number, RpcContext call);

	String fail(String how) throws InvoiceException;

	CompletableFuture<String> failLater(String how) throws InvoiceException;

	@RpcMethod(timeout = "2s")
	long millisLeft();

}
