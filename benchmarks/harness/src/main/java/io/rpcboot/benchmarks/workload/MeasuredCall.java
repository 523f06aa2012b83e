package io.rpcboot.benchmarks.workload;

import java.util.concurrent.CompletableFuture;

/**
 * How to make a call and how to know that its answer is right. Thread-safe.
 */
public interface MeasuredCall {

	/**
	 * What options and reports call it.
	 * @return the name
	 */
	String label();

	/**
	 * Make the call and wait.
	 * @param service the service
	 * @param n number of the call, not negative
	 * @return the answer
	 */
	Object invoke(BenchService service, int n);

	/**
	 * Make the call and do not wait.
	 * @param service the service
	 * @param n number of the call, not negative
	 * @return the answer
	 */
	CompletableFuture<?> invokeAsync(BenchService service, int n);

	/**
	 * Whether the answer is what the service must return.
	 * @param n number of the call
	 * @param answer the answer
	 * @return true if so
	 */
	boolean isRight(int n, Object answer);

}
