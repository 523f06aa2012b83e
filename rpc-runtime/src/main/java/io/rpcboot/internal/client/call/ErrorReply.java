package io.rpcboot.internal.client.call;

import java.util.Arrays;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.AttachmentsSection;
import io.rpcboot.internal.protocol.Failure;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.ProtocolException;

/**
 * An answer that is neither a result nor a declared exception.
 *
 * @param failure what has happened
 * @param attachments what came with it
 */
public record ErrorReply(Failure failure, Attachments attachments) {

	/**
	 * From bytes.
	 * @throws ProtocolException if it cannot be read
	 */
	public static ErrorReply decode(int flags, byte[] bytes, int offset, int length) {
		int start = offset;
		int end = offset + length;
		Attachments attachments = Attachments.none();
		if ((flags & FrameHeader.FLAG_ATTACHMENTS) != 0) {
			start = AttachmentsSection.skip(bytes, offset, end);
			attachments = AttachmentsSection.decode(bytes, offset, start);
		}
		return new ErrorReply(Failure.decode(Arrays.copyOfRange(bytes, start, end)), attachments);
	}

}
