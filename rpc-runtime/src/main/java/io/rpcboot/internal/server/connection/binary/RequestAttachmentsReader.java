package io.rpcboot.internal.server.connection.binary;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.AttachmentsSection;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.call.RequestAttachments;
import org.jspecify.annotations.Nullable;

/**
 * Reads the attachments of requests, which precede their arguments.
 *
 * @param max longest attachments, in bytes, without the credentials of the call
 * @param access decides about calls; null without limits
 */
record RequestAttachmentsReader(int max, @Nullable AccessControl access) implements RequestAttachments {

	@Override
	public Content read(byte[] request, int start, int end) {
		try {
			int arguments = AttachmentsSection.skip(request, start, end);
			int size = arguments - start - AttachmentsSection.PREFIX_LENGTH;
			if (size > this.max && this.access != null && this.access.takesCredentials()) {
				size = AttachmentsSection.counted(request, start, arguments);
			}
			if (size > this.max) {
				throw unreadable(
						"rpc.server.max-attachments-size: the attachments take %d bytes, but the server accepts %s"
							.formatted(size, (this.max > 0) ? "at most " + this.max : "none"));
			}
			return new Content(AttachmentsSection.decode(request, start, arguments), arguments);
		}
		catch (ProtocolException ex) {
			throw unreadable("the server cannot read the " + ex.getMessage());
		}
	}

	private static RpcException unreadable(String why) {
		return new RpcException(RpcStatus.INVALID_ARGUMENT, why, false);
	}

}
