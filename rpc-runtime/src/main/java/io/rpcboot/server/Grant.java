package io.rpcboot.server;

/**
 * What one client may send: totals of calls and of bytes since it connected, which only
 * rise. Stands beside server connection. The window, by which the grant is ahead of what
 * is done, begins small and doubles whenever its client uses most of it, or says that it
 * has used it up, up to its share of the server's capacity. Event loop only, but for what
 * is read for people.
 */
final class Grant {

	private final Window calls;

	private final Window bytes;

	private boolean open;

	Grant(Capacity calls, Capacity bytes, long firstCalls, long firstBytes) {
		this.calls = new Window(calls, firstCalls);
		this.bytes = new Window(bytes, firstBytes);
	}

	/** The client may send. */
	void open() {
		this.open = true;
		this.calls.capacity.join();
		this.bytes.capacity.join();
		raise();
	}

	/** A request arrived. Returns false if it was not granted. */
	boolean takes(int size) {
		boolean granted = this.calls.received < this.calls.granted && this.bytes.received < this.bytes.granted;
		this.calls.received++;
		this.bytes.received += size;
		return granted;
	}

	/**
	 * The client says that it used up what it knew to be granted, calls or bytes: what is
	 * left of them is on its way to it.
	 */
	void usedUp() {
		long leftCalls = this.calls.granted - this.calls.received;
		long leftBytes = this.bytes.granted - this.bytes.received;
		boolean fewerCalls = leftCalls * this.bytes.promise <= leftBytes * this.calls.promise;
		(fewerCalls ? this.calls : this.bytes).usedUp = true;
	}

	/**
	 * Whether the client is about to use up what it has and may get more, although
	 * nothing was released: calls may wait for calls that follow them.
	 */
	boolean isShort() {
		return this.calls.isShort() || this.bytes.isShort();
	}

	/**
	 * A request needs no room any more. Returns whether it is time to raise the grant.
	 */
	boolean release(int size) {
		this.calls.released++;
		this.bytes.released += size;
		return this.calls.isLow() || this.bytes.isLow();
	}

	void raise() {
		this.calls.raise();
		this.bytes.raise();
	}

	/** The connection has ended. */
	void close() {
		if (this.open) {
			this.open = false;
			this.calls.capacity.leave(this.calls.promise);
			this.bytes.capacity.leave(this.bytes.promise);
		}
	}

	long grantedCalls() {
		return this.calls.granted;
	}

	long grantedBytes() {
		return this.bytes.granted;
	}

	long receivedCalls() {
		return this.calls.received;
	}

	/** Calls that need room. */
	long inFlight() {
		return this.calls.received - this.calls.released;
	}

	long receivedBytes() {
		return this.bytes.received;
	}

	/** Totals of one kind. */
	private static final class Window {

		private final Capacity capacity;

		private long wanted;

		private long promise;

		private long granted;

		private long received;

		private long released;

		private boolean usedUp;

		Window(Capacity capacity, long first) {
			this.capacity = capacity;
			this.wanted = first;
		}

		/** A quarter of the window is done with, so the grant is raised in time. */
		boolean isLow() {
			return this.released + this.promise - this.granted >= (this.promise + 3) / 4;
		}

		/** Over its share it is not asked again until something is released. */
		boolean isShort() {
			return 4 * (this.granted - this.received) <= this.promise && this.promise >= this.wanted;
		}

		void raise() {
			boolean used = this.granted > 0 && 2 * (this.granted - this.received) <= this.promise;
			if ((used || this.usedUp) && this.wanted <= this.promise) {
				this.wanted = 2 * this.promise;
			}
			this.usedUp = false;
			this.promise = this.capacity.promise(this.promise, this.wanted);
			this.granted = Math.max(this.granted, this.released + this.promise);
		}

	}

}
