package io.rpcboot.server;

import java.util.concurrent.Flow;

/**
 * Runs the calls of a method of a {@link GrpcServiceDefinition} with several requests,
 * several responses, or both. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface GrpcStreamHandler {

	/**
	 * Runs a call, on the thread that the dispatch of the method chooses. That thread
	 * counts as busy until this method returns and the publisher is subscribed.
	 * @param call the call; it has no message
	 * @param requests messages of the client, for one subscriber; they come as they are
	 * asked for, where the method runs
	 * @return messages of the responses, not changed afterwards; fails with a
	 * {@link io.rpcboot.RpcException} for a status. Cancelled when the client cancels the
	 * call. Messages beyond those that are asked for are kept in the memory of the
	 * server, and end the call with RESOURCE_EXHAUSTED if there is none
	 * @throws Exception as a failed publisher
	 */
	Flow.Publisher<byte[]> handle(GrpcCall call, Flow.Publisher<byte[]> requests) throws Exception;

}
