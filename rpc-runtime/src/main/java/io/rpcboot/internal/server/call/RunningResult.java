package io.rpcboot.internal.server.call;

/** Result that its method has returned and that is not complete. Any thread. */
interface RunningResult {

	/** Cancels the result on a thread that may block. Never throws. */
	void cancelSoon();

}
