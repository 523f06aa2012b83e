package io.rpcboot.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** A service with every style of method. */
public interface Calls {

	byte[] echo(byte[] bytes);

	String greet(String name);

	int add(int left, int right);

	List<String> reverse(List<String> words);

	void nothing();

	CompletableFuture<String> later(String name);

	CompletableFuture<byte[]> echoLater(byte[] bytes);

	/** Ends when the gate of the implementation opens. */
	String waitForGate(String name);

	/** Its future ends when the gate of the implementation opens. */
	CompletableFuture<String> laterAtGate(String name);

	@RpcMethod(timeout = "200ms")
	String waitForGateBriefly(String name);

	@RpcMethod(oneWay = true)
	void notice(String word);

	String refuse(String reason) throws RefusedException;

	CompletableFuture<String> refuseLater(String reason) throws RefusedException;

	String breakDown(String message);

	byte[] grow(int size);

}
