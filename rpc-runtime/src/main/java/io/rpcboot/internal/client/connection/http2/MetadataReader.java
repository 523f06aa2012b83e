package io.rpcboot.internal.client.connection.http2;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.ReplyReader;

/**
 * Gives the attachments of a reply of gRPC to its call.
 *
 * @param attachments the attachments, which arrived in HEADERS and trailers
 */
record MetadataReader(Attachments attachments) implements ReplyReader {

	@Override
	public boolean mayCompile() {
		return false;
	}

	@Override
	public Content read(BoundMethod method, byte[] reply, int start, int end) {
		return new Content(this.attachments, start, method.codec);
	}

}
