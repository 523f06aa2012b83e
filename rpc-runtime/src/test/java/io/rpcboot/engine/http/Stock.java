package io.rpcboot.engine.http;

import io.rpcboot.RpcMethod;

/** Service with a method that has no side effects. */
public interface Stock {

	@RpcMethod(safe = true)
	String find(String article, int count);

	@RpcMethod(idempotent = true)
	String set(String article, int count);

	@RpcMethod(safe = true)
	String fail(String why);

}
