package io.rpcboot.internal.client.call;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.client.limits.ReservedPermits;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.metrics.CallRecorder.Serialization;
import org.jspecify.annotations.Nullable;

/**
 * Reference of a call, as the call sees it: shared resources, and decisions about calls
 * that cannot go on where they are. Any thread.
 */
public abstract class CallDispatcher {

	/** Number of the reference in its client. */
	public final int index;

	/** Arrays that blocking callers reuse for small bodies. */
	public final StripedPool<byte[]> arrays;

	public final WorkerPool callbacks;

	/** Limit of pending calls, whose permit each call returns at its end. */
	public final AdaptiveConcurrencyLimit limit;

	public final ReservedPermits.ReferencePermits share;

	/** True if futures are completed on the event loop that reads their replies. */
	public final boolean completesOnLoop;

	public final RequestMemory memory;

	/** Size up to which arguments reserve no memory, in bytes. */
	final int freeBytes;

	public final ClientCounters counts;

	protected CallDispatcher(int index, StripedPool<byte[]> arrays, WorkerPool callbacks,
			AdaptiveConcurrencyLimit limit, ReservedPermits.ReferencePermits share, boolean completesOnLoop,
			RequestMemory memory, ClientCounters counts) {
		this.index = index;
		this.arrays = arrays;
		this.callbacks = callbacks;
		this.limit = limit;
		this.share = share;
		this.completesOnLoop = completesOnLoop;
		this.memory = memory;
		this.freeBytes = memory.freeBytes();
		this.counts = counts;
	}

	/** Returns the failure of a call whose arguments could not be serialized. */
	protected final RpcException notSerialized(ClientCall call, RuntimeException cause) {
		MemoryShortageException shortage = (cause instanceof MemoryShortageException itself) ? itself
				: call.memoryShortage();
		MethodDescriptor method = call.method.descriptor;
		if (shortage == null) {
			call.method.recordFailed(Serialization.WRITE);
			return FailureMessages.argumentsNotSerialized(method, cause);
		}
		RpcStatus status = shortage.isInterrupted() ? RpcStatus.CANCELLED
				: (call.remainingNanos() > 0) ? RpcStatus.RESOURCE_EXHAUSTED : RpcStatus.DEADLINE_EXCEEDED;
		this.counts.notSent(status, false);
		return FailureMessages.refused(method, status, "no memory for the arguments: " + shortage.getMessage(), null);
	}

	/** Returns the only endpoint of its calls; null if they may go to any instance. */
	public @Nullable Endpoint onlyAt() {
		return null;
	}

	/**
	 * Sends a call to an instance other than the excluded one, or lets it wait for one.
	 */
	public abstract void dispatch(ClientCall call, @Nullable CallTransport excluded);

	/**
	 * Returns true if a call rejected as overloaded may be sent to another instance: at
	 * most twice, so that an overloaded cluster is not flooded with retries.
	 */
	protected abstract boolean mayTryElsewhere(ClientCall call);

	/** Returns true if a call that a server refused may be sent to another instance. */
	final boolean mayRunElsewhere(ClientCall call, RpcStatus status) {
		return onlyAt() == null && switch (status) {
			case UNAVAILABLE, FAILED_PRECONDITION, NOT_FOUND -> true;
			case RESOURCE_EXHAUSTED -> mayTryElsewhere(call);
			default -> false;
		};
	}

	/** Sends a call elsewhere that did not run where it was sent. */
	public abstract void dispatchAgain(ClientCall call, RedispatchReason why);

	/**
	 * Retries a failed call that may have run, if policy and budget allow it. Called by
	 * the thread that ends the attempt.
	 * @param remoteType type that the implementation threw, null if it threw nothing
	 * @param reply attachments of the reply
	 * @return true if the call is retried and must not be completed
	 */
	protected abstract boolean tryRetry(ClientCall call, RpcStatus status, @Nullable String remoteType,
			Attachments reply);

	/** Called when a call that uses the retry budget has succeeded. */
	protected abstract void answered(ClientCall call);

	/**
	 * Retries a call at another instance because its instance is frozen. Returns true if
	 * the call goes there.
	 */
	public abstract boolean retryFromFrozen(ClientCall call);

	/**
	 * Sends an overdue call of an ejected instance to a second instance. Returns false if
	 * no more calls may be hedged now. Control thread.
	 */
	public abstract boolean hedgesOverdue(ClientCall call);

	/** Lets a call wait until any connection takes it. */
	public abstract void enqueue(ClientCall call);

	/** Returns a call to the queue from which a connection took it. */
	public abstract void giveBack(ClientCall call);

	/** Fails a call whose deadline has passed. */
	protected abstract void expire(ClientCall call);

	/** Called before the future of an ended call is completed. */
	public abstract void onCompleted(ClientCall call);

}
