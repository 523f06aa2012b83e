package io.rpcboot.internal.server.call;

import io.rpcboot.RpcException;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.StreamCounts;
import io.rpcboot.internal.stream.ElementSink;
import org.jspecify.annotations.Nullable;

/**
 * Takes a response of several messages, one after the other: the {@link ResponseSink} of
 * a method that returns or takes a stream. {@link #complete} ends it after all of them;
 * {@link #end} and {@link #drop} end it as they end any response.
 */
public interface StreamSink extends ResponseSink, ElementSink {

	/**
	 * Returns the arguments of a method that takes a stream, and tells the client that it
	 * begins. Thread of the method.
	 * @param source array with the first message, which may have an element
	 * @throws RpcException if the protocol carries no stream of the client
	 */
	@Nullable Object[] arguments(byte[] source, int offset, int length);

	/**
	 * Sends the elements of a stream that the method has returned. Thread of the method.
	 * @param stream a publisher, {@code Flux}, {@code Iterator} or {@code Stream}; or
	 * null, which ends the call with an error
	 * @param attachments attachments of the response so far, which may precede its
	 * elements; null without any
	 */
	void stream(@Nullable Object stream, @Nullable Attachments attachments);

	/** Returns the elements so far, null for a single call. Any thread. */
	@Nullable StreamCounts streamed();

	/** Ends the response: its elements are all there are. */
	void complete();

}
