package io.rpcboot.internal.client.call;

import java.util.Arrays;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.AttachmentsSection;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.resilience.RetryAdvice;
import org.jspecify.annotations.Nullable;

/**
 * Reply that is neither a result nor a declared exception.
 *
 * @param status status of the call, INTERNAL for a code that this version does not know
 * @param execution NONE if another server may run the call, REFUSED if none may
 * @param failure type and message of the error
 * @param attachments attachments of the reply
 */
public record ErrorReply(RpcStatus status, Execution execution, Failure failure, Attachments attachments) {

	/**
	 * Decodes the body of a reply. A failure of a call that the method made gets the
	 * advice never to retry: the server has retried that call if it may be.
	 * @param maxAttachments largest attachments, in bytes
	 * @throws ProtocolException if the body is malformed
	 */
	public static ErrorReply decode(int code, int flags, byte[] bytes, int offset, int length, int maxAttachments) {
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
		return new ErrorReply((status != null) ? status : RpcStatus.INTERNAL, execution(flags),
				Failure.decode(Arrays.copyOfRange(bytes, start, end)), attachments);
	}

	/** Returns CERTAIN unless the server announces that it did not run the call. */
	private static Execution execution(int flags) {
		if ((flags & FrameHeader.FLAG_NOT_EXECUTED) == 0) {
			return Execution.CERTAIN;
		}
		return ((flags & FrameHeader.FLAG_FINAL) != 0) ? Execution.REFUSED : Execution.NONE;
	}

	/** Returns the type that the implementation threw, null if it threw nothing. */
	@Nullable String remoteType() {
		return this.failure.type().isEmpty() ? null : this.failure.type();
	}

	/** Returns type and message as text. */
	String text() {
		String message = this.failure.message();
		return this.failure.type().isEmpty() ? message : this.failure.type() + ": " + message;
	}

}
