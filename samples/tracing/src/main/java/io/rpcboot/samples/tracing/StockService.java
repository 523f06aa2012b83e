package io.rpcboot.samples.tracing;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** Stock service. */
public interface StockService {

	/**
	 * Reserves an item.
	 * @param item its name
	 * @return its place, asynchronously
	 */
	CompletableFuture<String> reserve(String item);

	/**
	 * Reports an order. One-way: the caller does not wait.
	 * @param item its name
	 */
	@RpcMethod(oneWay = true)
	void ordered(String item);

}
