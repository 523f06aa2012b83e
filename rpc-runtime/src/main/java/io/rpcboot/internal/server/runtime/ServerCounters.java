package io.rpcboot.internal.server.runtime;

import java.util.concurrent.atomic.LongAdder;

/**
 * What a server counts that happens to no call without trouble. Each only rises. Any
 * thread.
 */
public final class ServerCounters {

	/** One-way calls received that did not begin. */
	public final LongAdder dropped = new LongAdder();

	/**
	 * Calls that did not begin: their time was over, or less was left than their method
	 * takes.
	 */
	public final LongAdder expired = new LongAdder();

	/** Calls that did not begin: they were cancelled, or their connection had ended. */
	public final LongAdder cancelled = new LongAdder();

	/** Services of which a client was refused all or some methods. */
	public final LongAdder refusedContracts = new LongAdder();

	/** Connections that have ended since their client was told that they are old. */
	public final LongAdder aged = new LongAdder();

	/** Calls that a shutdown has waited for. */
	public final LongAdder drained = new LongAdder();

	/** Calls that a shutdown has not waited for. */
	public final LongAdder cut = new LongAdder();

}
