package io.rpcboot.spring.logging;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** For calls of which the log tells. */
public interface Chores {

	String now(String word, int number);

	CompletableFuture<String> later(String word);

	@RpcMethod(oneWay = true)
	void told(String word);

	String fail(String word);

}
