package io.rpcboot.internal.client.connection.binary;

import java.util.Arrays;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.call.Execution;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.AttachmentsSection;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.resilience.RetryAdvice;
import org.jspecify.annotations.Nullable;

/** Decodes RESPONSE frames that are neither a result nor a declared exception. */
final class ErrorReplyDecoder {

	private ErrorReplyDecoder() {
	}

	/**
	 * Decodes the body of a reply. A failure of a call that the method made gets the
	 * advice never to retry: the server has retried that call if it may be.
	 * @param maxAttachments largest attachments, in bytes
	 * @throws ProtocolException if the body is malformed
	 */
	static ErrorReply decode(int code, int flags, byte[] bytes, int offset, int length, int maxAttachments) {
		int start = offset;
		int end = offset + length;
		Attachments attachments = Attachments.none();
		if ((flags & FrameHeader.FLAG_ATTACHMENTS) != 0) {
			start = AttachmentsSection.skip(bytes, offset, end, maxAttachments);
			attachments = AttachmentsSection.decode(bytes, offset, start);
		}
		if ((flags & (FrameHeader.FLAG_FINAL | FrameHeader.FLAG_NOT_EXECUTED)) == FrameHeader.FLAG_FINAL
				&& attachments.get(RetryAdvice.ATTACHMENT) == null) {
			attachments = attachments.copy();
			RetryAdvice.never(attachments);
		}
		RpcStatus status = RpcStatus.ofCode(code);
		Failure failure = Failure.decode(Arrays.copyOfRange(bytes, start, end));
		return new ErrorReply((status != null) ? status : RpcStatus.INTERNAL, execution(status, flags), failure.type(),
				failure.message(), attachments);
	}

	/**
	 * Returns CERTAIN unless the server announces that it did not run the call. A proxy
	 * in front of the implementation may have refused it.
	 */
	private static Execution execution(@Nullable RpcStatus status, int flags) {
		if ((flags & FrameHeader.FLAG_NOT_EXECUTED) == 0) {
			boolean isRefusal = status == RpcStatus.PERMISSION_DENIED || status == RpcStatus.UNAUTHENTICATED;
			return isRefusal ? Execution.POSSIBLE : Execution.CERTAIN;
		}
		return ((flags & FrameHeader.FLAG_FINAL) != 0) ? Execution.REFUSED : Execution.NONE;
	}

}
