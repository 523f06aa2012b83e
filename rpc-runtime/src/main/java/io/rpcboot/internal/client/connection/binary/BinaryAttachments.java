package io.rpcboot.internal.client.connection.binary;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttachmentsEncoder;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.protocol.binary.AttachmentsSection;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Attachments of native calls: sections in front of the arguments and of the result.
 *
 * @param max largest attachments of a call or of a reply, in bytes
 */
record BinaryAttachments(int max) implements AttachmentsEncoder {

	/** Leaves optional attachments in the first chunk of a body, where they can go. */
	@Override
	public Attachments fitting(Attachments attachments) {
		return AttachmentsSection.fitting(attachments,
				Math.min(most(attachments), OutboundFrame.LARGE_BODY - AttachmentsSection.PREFIX_LENGTH));
	}

	@Override
	public byte[] encode(Attachments attachments) {
		return AttachmentsSection.encode(attachments, most(attachments));
	}

	private int most(Attachments attachments) {
		return this.max + AttachmentsSection.credentials(attachments);
	}

	@Override
	public void write(byte[] encoded, OutputBuffer out) {
		out.write(encoded, 0, encoded.length);
	}

	/**
	 * Returns the size of the attachments of a call in bytes, as a server counts them.
	 * @param most what it accepts
	 */
	static int length(@Nullable CallMetadata metadata, int most) {
		if (metadata == null) {
			return 0;
		}
		byte[] section = metadata.attachments();
		int length = Math.max(0, section.length - AttachmentsSection.PREFIX_LENGTH);
		return (length > most) ? AttachmentsSection.counted(section, 0, section.length) : length;
	}

}
