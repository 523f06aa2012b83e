package io.rpcboot.server;

import java.util.concurrent.CompletionStage;

/**
 * Runs the calls of a method of a {@link GrpcServiceDefinition}. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface GrpcHandler {

	/**
	 * Runs a call, on the thread that the dispatch of the method chooses. That thread
	 * counts as busy until this method returns.
	 * @param call the call
	 * @return completes with the message of the response, not changed afterwards; fails
	 * with a {@link io.rpcboot.RpcException} for a status. Cancelled when the client
	 * cancels the call
	 * @throws Exception as a failed stage
	 */
	CompletionStage<byte[]> handle(GrpcCall call) throws Exception;

}
