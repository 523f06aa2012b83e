package io.rpcboot.internal.client.call;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.RequestMemory;
import io.rpcboot.internal.client.limits.ReservedPermits;
import io.rpcboot.internal.concurrent.StripedPool;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.memory.ObjectHeap;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.serialization.OutputBuffer;

/**
 * Objects that all calls of one reference share. Its fields are read directly, because
 * each call does so. Any thread.
 */
public final class ReferenceResources {

	/** Number of the reference in its client. */
	public final int index;

	/** Arrays that blocking callers reuse for small bodies. */
	public final StripedPool<byte[]> arrays;

	/** Threads that complete futures. */
	public final WorkerPool callbacks;

	/** Threads that may block in the streams of callers. */
	public final WorkerPool uploads;

	/** Limit of pending calls, whose permit each call returns at its end. */
	public final AdaptiveConcurrencyLimit limit;

	/** Permits that are reserved for the reference. */
	public final ReservedPermits.ReferencePermits share;

	/** Memory of the client for bodies. */
	final RequestMemory memory;

	/** Size up to which arguments reserve no memory, in bytes. */
	final int freeBytes;

	public final ClientCounters counts;

	/** Buffers for serialization. */
	public final OutputBuffer.Pool buffers;

	/** Encodes attachments for the protocol of the reference. */
	public final AttachmentsEncoder attachments;

	public ReferenceResources(int index, StripedPool<byte[]> arrays, WorkerPool callbacks, WorkerPool uploads,
			AdaptiveConcurrencyLimit limit, RequestMemory memory, ClientCounters counts, OutputBuffer.Pool buffers,
			AttachmentsEncoder attachments) {
		this.index = index;
		this.arrays = arrays;
		this.callbacks = callbacks;
		this.uploads = uploads;
		this.limit = limit;
		this.share = limit.newShare();
		this.memory = memory;
		this.freeBytes = memory.freeBytes();
		this.counts = counts;
		this.buffers = buffers;
		this.attachments = attachments;
	}

	/** Returns a reply; this thread may wait for heap until the deadline of its call. */
	byte[] largeReply(ClientCall answer, long deadlineNanos) {
		boolean onLoop = Thread.currentThread() instanceof EventLoopThread;
		ObjectHeap.waitUntil(onLoop ? ObjectHeap.NO_WAIT : deadlineNanos);
		return answer.body;
	}

	/** Returns the failure of a call whose arguments could not be serialized. */
	public RpcException notSerialized(ClientCall call, RuntimeException cause) {
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

}
