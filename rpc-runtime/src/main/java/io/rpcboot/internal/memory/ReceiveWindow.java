package io.rpcboot.internal.memory;

/**
 * Counts what the other side of a connection may send and has sent, in bytes: totals
 * since the connection began, which only rise. Stands beside server connection and client
 * connection; {@link ReceiveWindowReserve} raises the grant. Event loop only, but for
 * what is read for people.
 */
public final class ReceiveWindow extends ReceiveWindowReserve {

	/**
	 * Create a grant of nothing.
	 * @param account where it is reserved
	 * @param mostWindow most bytes to be granted ahead
	 * @param admitted run once when what the other side {@linkplain #need needs} is
	 * reserved, by any thread: {@link #admit()} must follow on the event loop
	 */
	public ReceiveWindow(MemoryBudget account, long mostWindow, Runnable admitted) {
		super(account, mostWindow, admitted);
	}

	/**
	 * Whether a body is within the grant.
	 * @param size its length
	 * @return whether it may come
	 */
	public boolean covers(int size) {
		return this.received + size <= this.granted;
	}

	/**
	 * A body has arrived.
	 * @param size its length
	 * @return false if it was not granted; it does not count then
	 */
	public boolean takes(int size) {
		if (this.received + size > this.granted) {
			return false;
		}
		this.received += size;
		if (this.owed != 0 && size > SHARE) {
			paid(size);
			this.partlyPaid = true;
		}
		return true;
	}

	/**
	 * Bytes are free again.
	 * @param bytes how many
	 * @return whether it is time to raise the grant
	 */
	public boolean release(long bytes) {
		this.released += bytes;
		return this.released >= this.raiseAt;
	}

	/**
	 * What has to be released until it is worth while to wake the event loop for it.
	 * @return bytes, 1 or more: twice what the grant is raised for, but no more than is
	 * here while the other side waits for it
	 */
	public long untilWake() {
		long untilRaise = Math.max(1, this.raiseAt - this.released);
		return isShort() ? untilRaise : 2 * untilRaise;
	}

	/**
	 * The total that may be sent.
	 * @return bytes
	 */
	public long granted() {
		return this.granted;
	}

	/**
	 * The total that has arrived.
	 * @return bytes
	 */
	public long received() {
		return this.received;
	}

}
