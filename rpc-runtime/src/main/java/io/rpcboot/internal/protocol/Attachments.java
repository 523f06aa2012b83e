package io.rpcboot.internal.protocol;

/** The section of {@link FrameHeader#FLAG_ATTACHMENTS}; this version only skips it. */
public final class Attachments {

	private Attachments() {
	}

	/**
	 * Find the end of the section.
	 * @param body of a frame with the flag
	 * @param offset where the section begins
	 * @return offset of the first byte after the section
	 * @throws ProtocolException if the section is longer than the body
	 */
	public static int skip(byte[] body, int offset) {
		if (body.length - offset < 2) {
			throw new ProtocolException("truncated attachments");
		}
		int end = offset + 2 + (((body[offset] & 0xff) << 8) | (body[offset + 1] & 0xff));
		if (end > body.length) {
			throw new ProtocolException("truncated attachments");
		}
		return end;
	}

}
