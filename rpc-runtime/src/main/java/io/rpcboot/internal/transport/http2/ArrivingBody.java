package io.rpcboot.internal.transport.http2;

/** Long body that is arriving, for the least rate. Event loop only. */
public interface ArrivingBody {

	/**
	 * Returns the time of the first byte, or that from which on the rest may arrive.
	 * @return as {@link System#nanoTime()}
	 */
	long beganNanos();

	/** Returns the number of bytes that have arrived, without those of a prefix. */
	int filled();

}
