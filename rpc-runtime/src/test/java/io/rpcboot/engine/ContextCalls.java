package io.rpcboot.engine;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** What a call sees of its context, in every style. */
public interface ContextCalls {

	/**
	 * Attachments by name, with method, peer and remaining milliseconds; tells them back.
	 */
	Map<String, String> look(String word);

	CompletableFuture<Map<String, String>> lookLater(String word);

	@RpcMethod(oneWay = true)
	void notice(String word);

	/** Waits until it is cancelled, at most 20 s; returns the words of the next hop. */
	String hang(String word);

	CompletableFuture<String> hangLater(String word);

	String refuse(String word) throws RefusedException;

	String breakDown(String word);

	@RpcMethod(idempotent = true)
	String count(String word);

}
