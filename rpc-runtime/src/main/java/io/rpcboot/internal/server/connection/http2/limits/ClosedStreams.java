package io.rpcboot.internal.server.connection.http2.limits;

/**
 * Ids of the streams of a client that are closed. Frames of a stream that this side has
 * ended may still be on the way, so the last ones of these are remembered, and those that
 * the client has reset. Event loop only.
 */
public final class ClosedStreams {

	/** Smallest number of remembered streams. */
	private static final int REMEMBERED = 256;

	/**
	 * Ids that are compared with that of a late frame, however many are remembered. Ids
	 * of a client rise, so that they fill the sets of the table evenly.
	 */
	private static final int WAYS = 8;

	/**
	 * Ids of streams that this side has ended; negative ones were reset by the client. A
	 * table of sets with {@link #WAYS} ids each, the newest first; 0 for none.
	 */
	private int[] remembered = new int[REMEMBERED];

	/** Highest id that a client has used. */
	private int last;

	/** Highest id below {@link #last} that it has skipped; 0 for none. */
	private int lastSkipped;

	/** Returns the highest id that the client has used, 0 for none. */
	public int last() {
		return this.last;
	}

	/**
	 * Counts a new stream.
	 * @return false if its id is no new one of a client
	 */
	public boolean open(int streamId) {
		if (streamId <= this.last || (streamId & 1) == 0) {
			return false;
		}
		if (streamId > this.last + 2) {
			this.lastSkipped = streamId - 2;
		}
		this.last = streamId;
		return true;
	}

	/**
	 * Records that this side has ended a stream before the client has.
	 * @param streams limit of open streams; the last 2 * streams are remembered
	 */
	public void endedHere(int streamId, long streams) {
		int oldest = set(streamId) + WAYS - 1;
		if (this.remembered[oldest] != 0 && 2 * streams > this.remembered.length) {
			grow((int) (2 * streams));
		}
		add(streamId);
	}

	private void grow(int least) {
		int[] before = this.remembered;
		this.remembered = new int[Integer.highestOneBit(least - 1) << 1];
		for (int i = before.length - 1; i >= 0; i--) { // the newest of a set is the last
			if (before[i] != 0) {
				add(before[i]);
			}
		}
	}

	private void add(int streamId) {
		int first = set(streamId);
		System.arraycopy(this.remembered, first, this.remembered, first + 1, WAYS - 1);
		this.remembered[first] = streamId;
	}

	/** Returns the index of the first id of a set. */
	private int set(int streamId) {
		int number = Math.abs(streamId) >>> 1;
		return (number & (this.remembered.length / WAYS - 1)) * WAYS;
	}

	/**
	 * Records that the client has reset a stream.
	 * @param streams limit of open streams
	 */
	public void resetThere(int streamId, long streams) {
		endedHere(-streamId, streams);
	}

	/** Returns true if the client has reset the stream a short while ago. */
	public boolean isResetThere(int streamId) {
		return isEndedHere(-streamId);
	}

	/** Returns true if this side has ended the stream a short while ago. */
	public boolean isEndedHere(int streamId) {
		int first = set(streamId);
		for (int i = first; i < first + WAYS; i++) {
			if (this.remembered[i] == streamId) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns true if the client has never used an id. Ids that it skipped are idle as
	 * far as they are known.
	 */
	public boolean isIdle(int streamId) {
		return streamId > this.last || (streamId & 1) == 0 || streamId == this.lastSkipped;
	}

}
