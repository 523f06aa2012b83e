package io.rpcboot.internal.server.connection.http2.limits;

import io.rpcboot.internal.server.runtime.CallCreditPool;

/**
 * Number of streams that a client may have open (MAX_CONCURRENT_STREAMS). Its credits are
 * from the pool that also feeds the windows of native clients. Starts small and doubles
 * while the client uses it; halves while it uses less than a quarter. Event loop only.
 */
public final class StreamLimit {

	/** First limit, which RFC 9113 recommends as the smallest. */
	public static final int FIRST = 100;

	private final CallCreditPool pool;

	private long limit;

	/** Highest number of open streams since the last {@link #shrink()}. */
	private int used;

	private boolean open;

	/** Creates a limit without credits. */
	public StreamLimit(CallCreditPool pool) {
		this.pool = pool;
	}

	/** Takes the first credits. */
	public void open() {
		this.open = true;
		this.pool.join();
		this.limit = this.pool.grant(0, FIRST);
	}

	/** Returns the number of streams that may be open. */
	public long limit() {
		return this.limit;
	}

	/**
	 * Counts a stream whose request is complete. Others do not raise the limit: a client
	 * opens them for a few bytes.
	 * @param complete number of open streams with a complete request, with it
	 * @param streams number of all open streams
	 * @return true if the limit has changed and is to be announced
	 */
	public boolean onRequest(int complete, int streams) {
		this.used = Math.max(this.used, streams);
		return 4L * complete >= 3 * this.limit && change(2 * this.limit);
	}

	/**
	 * Gives credits back that are not used.
	 * @return true if the limit has changed and is to be announced
	 */
	public boolean shrink() {
		boolean unused = 4L * this.used < this.limit && this.limit > FIRST;
		this.used = 0;
		return unused && change(Math.max(FIRST, this.limit / 2));
	}

	private boolean change(long wanted) {
		long before = this.limit;
		this.limit = this.pool.grant(before, wanted);
		return this.limit != before;
	}

	/** Returns all credits: the connection is closed. */
	public void close() {
		if (this.open) {
			this.open = false;
			this.pool.leave(this.limit);
		}
	}

}
