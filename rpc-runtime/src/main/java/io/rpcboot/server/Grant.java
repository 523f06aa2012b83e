package io.rpcboot.server;

import io.rpcboot.internal.memory.IncomingGrant;

/**
 * Counts what one client may send and has sent: totals of calls and of bytes since it
 * connected, which only rise. Stands beside server connection; {@link CallReserve} raises
 * the total of calls. Event loop only, but for what is read for people.
 */
final class Grant extends CallReserve {

	Grant(Capacity capacity, long firstCalls, IncomingGrant bytes) {
		super(capacity, firstCalls, bytes);
	}

	/** A request arrived. Returns false if it was not granted. */
	boolean takes(int size) {
		if (this.received >= this.granted || !this.bytes.takes(size)) {
			return false;
		}
		this.received++;
		return true;
	}

	/**
	 * Whether the client is about to use up what it has and may get more, although
	 * nothing was released: calls may wait for calls that follow them.
	 */
	boolean isShort() {
		return 4 * (this.granted - this.received) <= this.promise && this.promise >= this.wanted;
	}

	/**
	 * A request needs no room any more. Returns whether it is time to raise the grant.
	 */
	boolean release(int size) {
		this.released++;
		boolean fewBytes = this.bytes.release(size);
		return fewBytes || this.released + this.promise - this.granted >= (this.promise + 3) / 4;
	}

	IncomingGrant bytes() {
		return this.bytes;
	}

}
