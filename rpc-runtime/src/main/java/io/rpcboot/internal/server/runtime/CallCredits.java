package io.rpcboot.internal.server.runtime;

/**
 * Credits of one connection, each for one call in flight, from the pool of the server: a
 * native connection announces them as its window, an HTTP/2 connection in
 * MAX_CONCURRENT_STREAMS. They double while the client uses them. One thread at a time.
 * <p>
 * Example: 64 credits at first, then 128, 256 and so on up to the share of the connection
 * in {@link CallCreditPool}.
 */
public final class CallCredits {

	private final CallCreditPool pool;

	private final long first;

	private boolean open;

	/** Credits that the client could use. */
	private long wanted;

	private long granted;

	/**
	 * Creates credits, none before {@link #open}.
	 * @param first credits wanted at first
	 */
	public CallCredits(CallCreditPool pool, long first) {
		this.pool = pool;
		this.first = first;
		this.wanted = first;
	}

	/** Takes the first credits. */
	public void open() {
		this.open = true;
		this.pool.join();
		update(this.wanted);
	}

	/**
	 * Takes what the pool has for the connection.
	 * @param used true if the client uses its credits, so that it could use 2 * granted
	 * @return true if the number has changed
	 */
	public boolean raise(boolean used) {
		return update((used && this.wanted <= this.granted) ? 2 * this.granted : this.wanted);
	}

	/**
	 * Gives half of the credits back, but none of the first.
	 * @return true if the number has changed
	 */
	public boolean halve() {
		return update(Math.max(this.first, this.granted / 2));
	}

	private boolean update(long next) {
		long before = this.granted;
		this.wanted = next;
		this.granted = this.pool.grant(before, next);
		return this.granted != before;
	}

	/** Returns the number of credits. */
	public long granted() {
		return this.granted;
	}

	/** Returns true if the connection has all credits that its client could use. */
	public boolean isSatisfied() {
		return this.granted >= this.wanted;
	}

	/** Returns all credits: the connection has ended. */
	public void close() {
		if (this.open) {
			this.open = false;
			this.pool.leave(this.granted);
		}
	}

}
