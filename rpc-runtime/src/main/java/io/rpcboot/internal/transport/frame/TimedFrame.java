package io.rpcboot.internal.transport.frame;

/** A frame that knows since when what it carries is on its way out. */
public interface TimedFrame {

	/**
	 * Since when.
	 * @return as {@link System#nanoTime()}
	 */
	long startedNanos();

}
