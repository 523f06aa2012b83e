package io.rpcboot.internal.server.connection.http2;

import java.util.Arrays;

/**
 * Ids of the streams of a client that are closed. Frames of a stream that this side has
 * ended may still be on the way, so the last ones of these are remembered, and those that
 * the client has reset. Event loop only.
 */
final class ClosedStreams {

	/** Smallest number of remembered streams. */
	private static final int REMEMBERED = 256;

	/**
	 * Ids of streams that this side has ended; negative ones were reset by the client.
	 */
	private int[] remembered = new int[REMEMBERED];

	private int next;

	/** Highest id that a client has used. */
	private int last;

	/** Highest id below {@link #last} that it has skipped; 0 for none. */
	private int lastSkipped;

	/** Returns the highest id that the client has used, 0 for none. */
	int last() {
		return this.last;
	}

	/**
	 * Counts a new stream.
	 * @return false if its id is no new one of a client
	 */
	boolean open(int streamId) {
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
	void endedHere(int streamId, long streams) {
		int needed = (int) (2 * streams);
		if (this.next == this.remembered.length && needed > this.remembered.length) {
			this.remembered = Arrays.copyOf(this.remembered, needed);
		}
		this.next %= this.remembered.length;
		this.remembered[this.next++] = streamId;
	}

	/**
	 * Records that the client has reset a stream.
	 * @param streams limit of open streams
	 */
	void resetThere(int streamId, long streams) {
		endedHere(-streamId, streams);
	}

	/** Returns true if the client has reset the stream a short while ago. */
	boolean isResetThere(int streamId) {
		return isEndedHere(-streamId);
	}

	/** Returns true if this side has ended the stream a short while ago. */
	boolean isEndedHere(int streamId) {
		for (int ended : this.remembered) {
			if (ended == streamId) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns true if the client has never used an id. Ids that it skipped are idle as
	 * far as they are known.
	 */
	boolean isIdle(int streamId) {
		return streamId > this.last || (streamId & 1) == 0 || streamId == this.lastSkipped;
	}

}
