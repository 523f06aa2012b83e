package io.rpcboot.internal.server.connection.http2.limits;

import io.rpcboot.internal.server.runtime.CallCreditPool;
import io.rpcboot.internal.server.runtime.CallCredits;

/**
 * Number of streams that a client may have open (MAX_CONCURRENT_STREAMS). Its credits are
 * from the pool that also feeds the windows of native clients. Starts small and doubles
 * while the client uses it; halves while it uses less than a quarter. Event loop only.
 *
 * <pre>
 * limit   = credits + allowance
 * allowance = min(most, max(16, 2 * streams of several messages)), 0 without any
 * </pre>
 *
 * Streams of several messages take no credits. Example: 128 credits and 60 feeds, of at
 * most 1,000: an allowance of 120, and a limit of 248.
 */
public final class StreamLimit {

	/** First limit, which RFC 9113 recommends as the smallest. */
	public static final int FIRST = 100;

	private static final int FIRST_ALLOWANCE = 16;

	private final CallCredits credits;

	/** Maximum of streams of several messages. */
	private final int mostStreams;

	/** Streams beside those for which there are credits. */
	private int allowance;

	/** Highest number of open streams since the last {@link #shrink()}. */
	private int used;

	/**
	 * Creates a limit without credits.
	 * @param mostStreams maximum of streams of several messages
	 */
	public StreamLimit(CallCreditPool pool, int mostStreams) {
		this.credits = new CallCredits(pool, FIRST);
		this.mostStreams = mostStreams;
	}

	/** Takes the first credits. */
	public void open() {
		this.credits.open();
	}

	/** Returns the number of streams that may be open. */
	public long limit() {
		return this.credits.granted() + this.allowance;
	}

	/**
	 * Counts a stream of several messages.
	 * @param streams number of those that are open, with it
	 * @return true if the limit has changed and is to be announced
	 */
	public boolean onStream(int streams) {
		if (4L * streams < 3L * this.allowance || this.allowance == this.mostStreams) {
			return false;
		}
		this.allowance = allowanceFor(streams);
		return true;
	}

	/**
	 * Counts a stream whose request is complete. Others do not raise the limit: a client
	 * opens them for a few bytes.
	 * @param complete number of open streams with a complete request, with it
	 * @param streams number of all open streams that take credits
	 * @return true if the limit has changed and is to be announced
	 */
	public boolean onRequest(int complete, int streams) {
		this.used = Math.max(this.used, streams);
		return 4L * complete >= 3 * this.credits.granted() && this.credits.raise(true);
	}

	/**
	 * Gives credits back that are not used.
	 * @param streams number of open streams of several messages
	 * @return true if the limit has changed and is to be announced
	 */
	public boolean shrink(int streams) {
		boolean unused = 4L * this.used < this.credits.granted() && this.credits.granted() > FIRST;
		this.used = 0;
		int before = this.allowance;
		this.allowance = Math.min(before, allowanceFor(streams));
		return (unused && this.credits.halve()) || this.allowance < before;
	}

	private int allowanceFor(int streams) {
		return (streams == 0) ? 0 : Math.min(this.mostStreams, Math.max(FIRST_ALLOWANCE, 2 * streams));
	}

	/** Returns all credits: the connection is closed. */
	public void close() {
		this.credits.close();
	}

}
