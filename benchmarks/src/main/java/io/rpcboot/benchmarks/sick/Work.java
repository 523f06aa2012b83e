package io.rpcboot.benchmarks.sick;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;

/** The service. Both methods take the same time. */
public interface Work {

	/**
	 * May run more than once.
	 * @param call number of the call, not given twice
	 * @return the number
	 */
	@RpcMethod(idempotent = true)
	CompletableFuture<Long> read(long call);

	/**
	 * Runs at most once: each run is in the ledger of its instance.
	 * @param call number of the call, not given twice
	 * @return the number
	 */
	CompletableFuture<Long> write(long call);

}
