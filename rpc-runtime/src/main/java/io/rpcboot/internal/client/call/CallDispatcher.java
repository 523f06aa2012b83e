package io.rpcboot.internal.client.call;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import org.jspecify.annotations.Nullable;

/**
 * Reference of a call, as the call sees it: shared objects, and decisions about calls
 * that cannot go on where they are. Any thread, unless a method says otherwise.
 */
public interface CallDispatcher {

	/** Returns the objects that all calls of the reference share. */
	ReferenceResources resources();

	/** Returns true if futures are completed on the event loop that reads the reply. */
	boolean completesOnLoop();

	/** Returns the only endpoint of its calls; null if they may go to any instance. */
	default @Nullable Endpoint onlyAt() {
		return null;
	}

	/**
	 * Sends a call to a ready instance, or lets it wait for one.
	 * @param excluded connection to avoid, or null
	 */
	void dispatch(ClientCall call, @Nullable CallTransport excluded);

	/** Returns true if a call that a server refused may be sent to another instance. */
	boolean mayRunElsewhere(ClientCall call, RpcStatus status);

	/** Returns true if there is an instance that the call has not tried. */
	default boolean hasAnother(ClientCall call) {
		return false;
	}

	/** Sends a call elsewhere that did not run where it was sent. */
	void dispatchAgain(ClientCall call, RedispatchReason why);

	/**
	 * Retries a failed call if policy, budget and deadline allow it. Called by the thread
	 * that ends the attempt.
	 * @param remoteType type that the implementation threw, null if it threw nothing
	 * @param reply attachments of the reply
	 * @param mayHaveRun true if the attempt may have run
	 * @return true if the call is retried and must not be completed
	 */
	boolean tryRetry(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply,
			boolean mayHaveRun);

	/** Called when a call that uses the retry budget has succeeded. */
	void answered(ClientCall call);

	/**
	 * Retries a call at another instance because its own is frozen, or ejected and the
	 * call overdue. Returns true if the call goes there.
	 */
	boolean retryElsewhere(ClientCall call, RedispatchReason why);

	/** Lets a call wait until a connection takes it. */
	void enqueue(ClientCall call);

	/** Returns a call to the queue from which a connection took it. */
	void giveBack(ClientCall call);

	/** Fails a call whose deadline has passed. */
	void expire(ClientCall call);

	/** Hands the completion of a future to the thread that runs it. */
	void publish(Runnable completion);

	/** Called before the future of an ended call is completed. */
	void onCompleted(ClientCall call);

}
