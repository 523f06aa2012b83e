package io.rpcboot.internal.client.connection.binary;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.ReplyReader;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.AttachmentsSection;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a native reply, whose attachments precede the result.
 *
 * @param attached true if the reply has attachments
 * @param max largest attachments in bytes
 * @param contracts codecs for the contract of the server; null if it has that of the
 * client
 */
record BinaryReplyReader(boolean attached, int max, @Nullable ControlFrames contracts) implements ReplyReader {

	@Override
	public boolean mayCompile() {
		return this.contracts != null;
	}

	@Override
	public Content read(BoundMethod method, byte[] reply, int start, int end) {
		MethodCodec codec = (this.contracts != null) ? this.contracts.codecOf(method) : method.codec;
		if (!this.attached) {
			return new Content(Attachments.none(), start, codec);
		}
		try {
			int result = AttachmentsSection.skip(reply, start, end, this.max);
			return new Content(AttachmentsSection.decode(reply, start, result), result, codec);
		}
		catch (ProtocolException ex) {
			throw new SerializationException(String.valueOf(ex.getMessage()));
		}
	}

}
