package io.rpcboot.internal.protocol;

/** The section of {@link FrameHeader#FLAG_ATTACHMENTS}; this version only skips it. */
public final class Attachments {

	private Attachments() {
	}

	/**
	 * Find the end of the section.
	 * @param bytes hold the body of a frame with the flag
	 * @param offset where the section begins
	 * @param end where the body ends
	 * @return offset of the first byte after the section
	 * @throws ProtocolException if the section is longer than the body
	 */
	public static int skip(byte[] bytes, int offset, int end) {
		if (end - offset < 2) {
			throw new ProtocolException("truncated attachments");
		}
		int next = offset + 2 + (((bytes[offset] & 0xff) << 8) | (bytes[offset + 1] & 0xff));
		if (next > end) {
			throw new ProtocolException("truncated attachments");
		}
		return next;
	}

}
