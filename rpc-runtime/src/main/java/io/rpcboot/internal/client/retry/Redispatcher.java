package io.rpcboot.internal.client.retry;

import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;

/**
 * Sends calls that have been sent already: to other instances, or a second time. Any
 * thread.
 */
public interface Redispatcher {

	/** Whether an instance is ready other than where the call is and was. */
	boolean hasAnother(ClientCall call);

	/** The history of a call, by the one thread that has the call in hand. */
	AttemptHistory attemptsOf(ClientCall call);

	/** A call has failed and may have run: it is made once more. */
	void sendAgain(ClientCall call, CallTransport from, long pauseNanos);

	/** Send a call elsewhere, too. Returns false if there is no room: it has ended. */
	boolean hedge(HedgedAttempt call, CallTransport first);

}
