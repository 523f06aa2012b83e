package io.rpcboot.internal.client.retry;

import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;

/** Sends further attempts of calls. Any thread. */
public interface Redispatcher {

	/** Returns true if an instance is ready that the call has not tried. */
	boolean hasAnother(ClientCall call);

	/**
	 * Returns the history of a call, made if needed. For the thread that ends the current
	 * attempt.
	 */
	AttemptHistory attemptsOf(ClientCall call);

	/**
	 * Retries a failed call that may have executed.
	 * @param from connection of the failed attempt
	 * @param pauseNanos pause before the attempt, 0 for none
	 */
	void sendAgain(ClientCall call, CallTransport from, RedispatchReason why, long pauseNanos);

	/**
	 * Sends an admitted call to an instance other than that of the first call of its
	 * race.
	 * @return false if no other instance takes it; the call has failed then
	 */
	boolean hedge(ClientCall second, CallTransport original);

}
