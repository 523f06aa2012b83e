package io.rpcboot.internal.client.call;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.client.limits.ReservedPermits;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import org.jspecify.annotations.Nullable;

/**
 * A reference as its calls know it: what they use of it, and where they go when they
 * cannot go on by themselves. Any thread.
 */
public abstract class CallDispatcher {

	/** Its number among the references of the client. */
	public final int index;

	/** Arrays that a blocking caller uses for one call after the other. */
	public final StripedPool<byte[]> arrays;

	public final WorkerPool callbacks;

	public final ReservedPermits.ReferencePermits share;

	/** Whether futures are completed where their reply is read. */
	public final boolean completesOnLoop;

	public final RequestMemory memory;

	/** Arguments up to this size, in bytes, enter no memory. */
	final int freeBytes;

	public final LostOneWayCalls losses;

	public final ClientCounters counts;

	protected CallDispatcher(int index, StripedPool<byte[]> arrays, WorkerPool callbacks,
			ReservedPermits.ReferencePermits share, boolean completesOnLoop, RequestMemory memory,
			LostOneWayCalls losses, ClientCounters counts) {
		this.index = index;
		this.arrays = arrays;
		this.callbacks = callbacks;
		this.share = share;
		this.completesOnLoop = completesOnLoop;
		this.memory = memory;
		this.freeBytes = memory.freeBytes();
		this.losses = losses;
		this.counts = counts;
	}

	/** Where alone its calls may go; null if they may go to any instance. */
	public @Nullable Endpoint onlyAt() {
		return null;
	}

	/** Send to an instance other than the excluded one, or let it wait for one. */
	public abstract void dispatch(ClientCall call, @Nullable CallTransport excluded);

	/**
	 * Whether a call that a full instance sent back may go to another one: to two, for
	 * where all are full each of them is one more to refuse.
	 */
	protected abstract boolean mayTryElsewhere(ClientCall call);

	/** A call did not run where it was sent: send it elsewhere. */
	public abstract void dispatchAgain(ClientCall call, RedispatchReason why);

	/**
	 * Make a call once more that has failed and may have run, if that may be and makes
	 * sense. By who has the end of its attempt in hand.
	 * @param remoteType what the implementation threw, null if nothing
	 * @param reply what came with the answer
	 */
	protected abstract boolean tryRetry(ClientCall call, RpcStatus status, @Nullable String remoteType,
			Attachments reply);

	/** A call that could have been made once more has its answer. */
	protected abstract void answered(ClientCall call);

	/**
	 * The instance where a call is stands still: make the call once more, if that may be
	 * and another instance is there.
	 */
	public abstract boolean retryFromFrozen(ClientCall call);

	/**
	 * The instance where a call is is out, and the call under way there for long: send it
	 * to another one, too, if that may be. Returns false if no more calls may. Control
	 * thread.
	 */
	public abstract boolean hedgesOverdue(ClientCall call);

	/** Let a call wait until any connection takes it. */
	public abstract void enqueue(ClientCall call);

	/** A connection took a call from those that wait and could not write it. */
	public abstract void giveBack(ClientCall call);

	/** The time of a call is over. */
	protected abstract void expire(ClientCall call);

	/** A call that had entered is over. */
	public abstract void leave();

	/** An asynchronous call has ended, and its future is about to be completed. */
	public abstract void onCompleted(ClientCall call);

}
