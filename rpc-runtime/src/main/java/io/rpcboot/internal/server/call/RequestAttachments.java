package io.rpcboot.internal.server.call;

import io.rpcboot.context.Attachments;

/** Attachments of a request that are not read yet. The thread that runs the call. */
public interface RequestAttachments {

	/**
	 * Reads the attachments.
	 * @param request holds the request, with attachments and arguments
	 * @param start index of the request
	 * @param end index behind the request
	 * @throws io.rpcboot.RpcException with the answer to the caller if they are malformed
	 * or too long
	 */
	Content read(byte[] request, int start, int end);

	/**
	 * Attachments that were read.
	 *
	 * @param attachments the attachments
	 * @param arguments index of the arguments in the request
	 */
	record Content(Attachments attachments, int arguments) {
	}

}
