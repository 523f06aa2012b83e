package io.rpcboot.internal.client.call;

import io.rpcboot.context.Attachments;
import io.rpcboot.serialization.MethodCodec;

/**
 * Reads a reply that has attachments, or that another codec than that of its method
 * reads. The thread that completes the call.
 */
public interface ReplyReader {

	/**
	 * Returns true if the first reply of a method may take long, because its codec is
	 * compiled. Then no event loop may read the reply.
	 */
	boolean mayCompile();

	/**
	 * Reads what precedes the result.
	 * @param reply holds the body of the reply
	 * @param start index of the body
	 * @param end index behind the body
	 * @throws io.rpcboot.serialization.SerializationException if the attachments are
	 * malformed
	 */
	Content read(BoundMethod method, byte[] reply, int start, int end);

	/**
	 * Parts of a reply.
	 *
	 * @param attachments the attachments
	 * @param result index of the result in the body
	 * @param codec reads the result
	 */
	record Content(Attachments attachments, int result, MethodCodec codec) {
	}

}
