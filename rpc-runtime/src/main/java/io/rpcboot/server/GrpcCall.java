package io.rpcboot.server;

import java.util.List;
import java.util.Map;

import io.rpcboot.context.RpcContext;

/**
 * Call of a {@link GrpcHandler} or a {@link GrpcStreamHandler}. Values of metadata have a
 * char for each byte, those of names with the suffix {@code -bin} are Base64; names are
 * in lower case and may repeat.
 *
 * @since 0.1.0
 */
public interface GrpcCall {

	/**
	 * Returns the message of the request.
	 * @return the message, inflated
	 * @throws IllegalStateException for a call with a stream of requests
	 */
	byte[] message();

	/**
	 * Returns the header fields of the request, without those of its encoding and
	 * timeout.
	 * @return fields in the order in which they arrived
	 */
	List<Map.Entry<String, String>> metadata();

	/**
	 * Returns the value of {@code :authority}.
	 * @return host and port that the client wanted to call, empty without them
	 */
	String authority();

	/**
	 * Returns the context, which has the deadline and the cancellation.
	 * @return the context of this call
	 */
	RpcContext context();

	/**
	 * Sets the fields that precede the response, before the stage of the response
	 * completes. They are sent at once if the response is a stream.
	 * @param fields fields in their order
	 */
	void headers(List<Map.Entry<String, String>> fields);

	/**
	 * Sets the fields that follow the response or the status, before the stage of the
	 * response completes. They do not count against the limit of attachments.
	 * @param fields fields in their order
	 */
	void trailers(List<Map.Entry<String, String>> fields);

	/**
	 * Says that the message of the response is compressed, before the stage of the
	 * response completes; in a stream, the messages from now on, first before
	 * {@link #headers}.
	 * @param encoding value of {@code grpc-encoding}, one that the client accepts; in a
	 * stream {@code gzip}, or {@code identity} for messages that are not compressed
	 * @throws IllegalArgumentException in a stream for another encoding
	 */
	void encoding(String encoding);

}
