package io.rpcboot.internal.memory;

/**
 * Parts of the limit of a budget, in bytes.
 *
 * @param limit bytes of both directions
 * @param mostOfOne largest part of one direction
 * @param mostAhead largest part that may be granted ahead of need. The largest body
 * always fits beside it and the largest part of the other direction
 * @param kept part of the inbound bytes that is kept for peers that have earned it, and
 * for new ones: an eighth, or less if the largest body would not fit beside it
 */
record MemoryParts(long limit, long mostOfOne, long mostAhead, long kept) {

	private static final int EIGHTH = 8;

	/** 256 frames of 16 KiB beside a limit of 64 MiB. */
	private static final int FRAMES = 16;

	/**
	 * Returns the parts of a limit.
	 * @param largestBody largest body; at most half of the limit is kept for it
	 */
	static MemoryParts of(long limit, long largestBody) {
		long least = Math.min(limit / 2, Math.max(limit / 4, largestBody + largestBody / 4));
		long mostOfOne = limit - least;
		long mostAhead = Math.max(0, least - largestBody);
		return new MemoryParts(limit, mostOfOne, mostAhead,
				Math.min(mostOfOne / EIGHTH, mostOfOne - mostAhead - largestBody));
	}

	/** Returns the largest part of one direction while bodies wait for their rest. */
	long mostOfPartial() {
		return this.mostOfOne - this.kept - this.mostAhead;
	}

	/**
	 * Returns the outbound bytes that are kept for owners that have earned it.
	 * @param largest largest reservation of an owner
	 */
	long keptBeside(long largest) {
		return Math.max(0, Math.min(this.mostOfOne / EIGHTH, this.mostOfOne - largest));
	}

	/**
	 * Returns the inbound bytes up to which a message that cannot wait is reserved. Half
	 * of the kept part is left to others, and a quarter of it by connections that use
	 * little, so that neither keeps new peers out.
	 */
	long mostAtOnce(boolean usesLittle) {
		return this.mostOfOne - this.kept / (usesLittle ? 4 : 2);
	}

	/** Returns the bytes beside the limit for frames that have begun to arrive. */
	long mostOfFrames() {
		return this.limit / FRAMES;
	}

	/** Returns the limit of both directions when one of them is over its part. */
	long mostOverdrawn(long largestBody) {
		return this.limit + Math.max(this.limit / EIGHTH, largestBody);
	}

}
