package io.rpcboot.engine.context;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** Service of the last hop: calls whose answers are held, and calls that look. */
public interface HeldCalls {

	/** Completes when the test lets it. */
	CompletableFuture<String> first(String word);

	/** Fails when the test lets it. */
	CompletableFuture<String> failing(String word);

	/** Returns attachments and remaining milliseconds. */
	CompletableFuture<Map<String, String>> second(String word);

	Map<String, String> secondNow(String word);

	@RpcMethod(oneWay = true)
	void told(String word);

	/** Waits until it is cancelled. */
	CompletableFuture<String> hang(String word);

}
