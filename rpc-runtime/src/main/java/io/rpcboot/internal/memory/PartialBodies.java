package io.rpcboot.internal.memory;

/**
 * Inbound bodies of which a part is reserved while the rest waits in turn. If they had
 * all of the memory, they would wait for one another for ever. So the rest of any of them
 * has to fit beside the parts of all. Any thread.
 */
public final class PartialBodies {

	/** Bytes that are free once no other body is in use. */
	private final long most;

	/** Bytes of all parts. */
	private long parts;

	/** Bytes of the longest rest since there were no such bodies. */
	private long longestRest;

	PartialBodies(long most) {
		this.most = most;
	}

	/**
	 * Adds a body that is to wait.
	 * @param part bytes that are reserved
	 * @param rest bytes for which it will wait
	 * @return false, with nothing added, if it must not wait
	 */
	public synchronized boolean add(long part, long rest) {
		long longest = Math.max(this.longestRest, rest);
		if (this.parts + part + longest > this.most) {
			return false;
		}
		this.parts += part;
		this.longestRest = longest;
		return true;
	}

	/**
	 * Removes bodies that do not wait any more.
	 * @param removed bytes of their parts
	 */
	public synchronized void remove(long removed) {
		this.parts -= removed;
		if (this.parts == 0) {
			this.longestRest = 0;
		}
	}

}
