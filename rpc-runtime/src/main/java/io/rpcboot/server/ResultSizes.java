package io.rpcboot.server;

import java.util.function.IntConsumer;

/**
 * How large the results of a method have been lately, so that memory for one can be
 * reserved before its call begins. Any thread; a lost update does no harm.
 */
final class ResultSizes implements IntConsumer {

	/** Smaller results are made in the buffer of their thread. */
	private static final int WORTH_WHILE = 64 * 1024;

	/** In bytes; 0 while all are small. */
	volatile int expected;

	/** A result that is being made has reached so many bytes. */
	@Override
	public void accept(int bytes) {
		if (bytes > WORTH_WHILE && bytes > this.expected) {
			this.expected = bytes;
		}
	}

	/** A result has so many bytes: an eighth of the difference is forgotten. */
	void made(int bytes) {
		int before = this.expected;
		int next = (bytes >= before) ? bytes : before - Math.max(1, (before - bytes) / 8);
		this.expected = (next > WORTH_WHILE) ? next : 0;
	}

}
