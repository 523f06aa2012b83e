package io.rpcboot.internal.server.connection.http2;

/**
 * Ids of the streams of a client that are closed. Frames of a stream that this side has
 * ended may still be on the way, so the last ones of these are remembered. Event loop
 * only.
 */
final class ClosedStreams {

	/** Number of remembered streams. */
	private static final int REMEMBERED = 256;

	private final int[] endedHere = new int[REMEMBERED];

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

	/** Records that this side has ended a stream before the client has. */
	void endedHere(int streamId) {
		this.endedHere[this.next] = streamId;
		this.next = (this.next + 1) % REMEMBERED;
	}

	/** Returns true if this side has ended the stream a short while ago. */
	boolean isEndedHere(int streamId) {
		for (int ended : this.endedHere) {
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
