package io.rpcboot.samples.quickstart.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** Service of the shows, with a method of each kind. */
public interface OrderService {

	/**
	 * Places an order. For an unknown article the implementation throws an exception that
	 * is not declared here.
	 * @param article the article
	 * @param quantity the quantity
	 * @return the number of the order
	 */
	long place(String article, int quantity);

	/**
	 * Returns the stock of an article, asynchronously. A failed call is retried, at
	 * another provider if there is one; for an unknown article all attempts fail.
	 * @param article the article
	 * @return the number
	 */
	@RpcMethod(idempotent = true)
	CompletableFuture<Integer> stock(String article);

	/**
	 * Returns a report; the slow method of this service.
	 * @param days number of days, each takes 50 ms
	 * @return a line for each day
	 */
	List<String> report(int days);

	/**
	 * Returns the buyer of an order. The implementation returns a subclass that is not in
	 * the contract, so the result cannot be serialized.
	 * @param order number of the order
	 * @return never returns normally
	 */
	User buyer(long order);

	/**
	 * Archives a document, which takes a second.
	 * @param document its text
	 * @return its length
	 */
	int archive(String document);

	/**
	 * Reports the article that a visitor looks at. One-way: the caller does not wait.
	 * @param article the article
	 */
	@RpcMethod(oneWay = true, timeout = "2s")
	void looked(String article);

}
