package io.rpcboot.engine.call;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** Offered by each hop. */
public interface Hop {

	String ask(String word);

	CompletableFuture<String> askLater(String word);

	@RpcMethod(idempotent = true)
	String read(String word);

	@RpcMethod(oneWay = true)
	void tell(String word);

}
