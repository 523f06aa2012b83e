package io.rpcboot.server;

import java.util.concurrent.atomic.LongAdder;

/**
 * What a server counts that happens to no call without trouble. Each only rises. Any
 * thread.
 */
final class ServerCounts {

	/** One-way calls received that did not begin. */
	final LongAdder dropped = new LongAdder();

	/**
	 * Calls that did not begin: their time was over, or less was left than their method
	 * takes.
	 */
	final LongAdder expired = new LongAdder();

	/** Calls that did not begin: they were cancelled, or their connection had ended. */
	final LongAdder cancelled = new LongAdder();

	/** Services of which a client was refused all or some methods. */
	final LongAdder refusedContracts = new LongAdder();

	/** Connections that have ended since their client was told that they are old. */
	final LongAdder aged = new LongAdder();

	/** Calls that a shutdown has waited for. */
	final LongAdder drained = new LongAdder();

	/** Calls that a shutdown has not waited for. */
	final LongAdder cut = new LongAdder();

}
