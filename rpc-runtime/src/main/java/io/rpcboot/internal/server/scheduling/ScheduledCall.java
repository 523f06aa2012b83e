package io.rpcboot.internal.server.scheduling;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * A call that came in, as those know it who let it wait, count it or refuse it: its time,
 * its place, how far it is. Stands beside server call, which runs it.
 */
public abstract class ScheduledCall extends OutboundFrame implements Runnable {

	public final ServerMethod method;

	public final boolean oneWay;

	public final int requestSize;

	public final long startNanos;

	public final long allowedNanos;

	/** Whether the caller waits no longer; never false again. */
	public volatile boolean cancelled;

	/** Whether the answer had to wait for the socket or for a grant. */
	public boolean waited;

	public RpcStatus status = RpcStatus.OK;

	/** Whether it is counted for its service. */
	public boolean countsAgainstService;

	/** Since when it waits for a thread, then since when it runs. */
	public long queuedOrStartedNanos;

	/** When its result was there, see {@code WriteLatencySampler}; 0 for most. */
	public int answeredMicros;

	/**
	 * Whether a thread has taken it and not refused it; it may wait again, for memory.
	 */
	public boolean started;

	/** Whether it is in its line; this and the links: the lock of the queue. */
	public boolean queued;

	@Nullable ScheduledCall older;

	@Nullable ScheduledCall newer;

	protected ScheduledCall(ServerMethod method, boolean oneWay, long callId, int requestSize, long startNanos,
			long allowedNanos) {
		super(FrameType.RESPONSE);
		this.method = method;
		this.oneWay = oneWay;
		this.callId = callId;
		this.requestSize = requestSize;
		this.startNanos = startNanos;
		this.queuedOrStartedNanos = startNanos;
		this.allowedNanos = allowedNanos;
	}

	/** Nobody waits for it, and no thread has taken it: it ends now. Never throws. */
	public abstract void endUnrun();

	/** Where its end is recorded; null for nowhere. */
	public abstract @Nullable CallRecorder recorder();

	/** The account has so many bytes for its result. */
	public abstract void reserved(long bytes);

	public final boolean isTimeOver() {
		return System.nanoTime() - this.startNanos > this.allowedNanos;
	}

	/** Whether a thread has run it, and its answer did not wait. */
	public final boolean hasRun() {
		return this.started && !this.waited && this.status == RpcStatus.OK;
	}

}
