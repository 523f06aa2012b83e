package io.rpcboot.samples.tracing;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** Knows what there is. */
public interface StockService {

	/**
	 * Reserve an item.
	 * @param item its name
	 * @return where it lies, later
	 */
	CompletableFuture<String> reserve(String item);

	/**
	 * Tell of an order. Nobody waits for it.
	 * @param item its name
	 */
	@RpcMethod(oneWay = true)
	void ordered(String item);

}
