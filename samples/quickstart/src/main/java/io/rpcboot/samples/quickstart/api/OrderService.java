package io.rpcboot.samples.quickstart.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/**
 * Offered and called only when the quickstart shows something: a method of each kind.
 */
public interface OrderService {

	/**
	 * Place an order. An article that nobody sells makes the implementation fail, with an
	 * exception that is not declared here.
	 * @param article what is ordered
	 * @param quantity how many
	 * @return the number of the order
	 */
	long place(String article, int quantity);

	/**
	 * How many are there. The caller does not wait. A call that fails is made once more,
	 * elsewhere if there is another provider; for an article that nobody sells all fail.
	 * @param article what is asked for
	 * @return the number
	 */
	@RpcMethod(idempotent = true)
	CompletableFuture<Integer> stock(String article);

	/**
	 * A report, the slow method of this service.
	 * @param days each takes 50 ms
	 * @return a line for each day
	 */
	List<String> report(int days);

	/**
	 * Who has placed an order. The implementation answers with a subclass, which no
	 * contract knows, so that the result cannot be carried.
	 * @param order number of the order
	 * @return never anything
	 */
	User buyer(long order);

	/**
	 * Keep a document, which takes a second.
	 * @param document its text
	 * @return its length
	 */
	int archive(String document);

	/**
	 * Tell what a visitor looks at. Nobody waits for it.
	 * @param article what was looked at
	 */
	@RpcMethod(oneWay = true, timeout = "2s")
	void looked(String article);

}
