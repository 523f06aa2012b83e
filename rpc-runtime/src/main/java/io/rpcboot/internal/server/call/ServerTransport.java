package io.rpcboot.internal.server.call;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.server.runtime.ResponseMemory;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.flow.SendWindow;
import io.rpcboot.internal.transport.frame.ControlFrame;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the server, as its calls and its parts know it: what they share, how it
 * ends, and whom they tell of a call. It knows none of them. Event loop only, but for
 * what says otherwise.
 */
public abstract class ServerTransport {

	public final ServerResources server;

	final ResponseMemory memory;

	final OutputBuffer.Pool buffers;

	public final WriteQueue queue;

	/** What the client takes of replies. */
	public final SendWindow replies;

	/** Null if nobody listens. */
	public final @Nullable CallBatch tally;

	/** Bytes of results that wait or are being written. Any thread. */
	public final AtomicLong unsent = new AtomicLong();

	/** The largest body that client and server both allow. Any thread. */
	public volatile int maxResponse;

	/** Whether every later call is refused; never false again. */
	public boolean goingAway;

	/** Bytes of attachments that the client takes with an answer. Any thread. */
	public volatile int clientTakesAttachments;

	/** What this side has against the client. */
	public @Nullable String problem;

	public boolean closed;

	private final Connection connection;

	protected ServerTransport(Connection connection, ServerResources server) {
		this.connection = connection;
		this.server = server;
		this.memory = server.memory;
		this.buffers = server.buffers;
		this.queue = connection.queue();
		this.replies = new SendWindow(this.queue);
		this.tally = server.options.metrics.isNone() ? null : new CallBatch(connection.remote());
		this.maxResponse = server.options.maxFrameSize;
	}

	/** A call's answer is about to be written: its place in the grant is free again. */
	protected abstract void release(ScheduledCall call);

	/** A call is over: it is recorded and counted with its batch. */
	protected abstract void callEnded(ScheduledCall call);

	/** Calls that were counted as in flight are over. Any thread. */
	protected abstract void callsEnded(int calls);

	/** A call needs its place in the grant no longer. */
	public abstract void released(int bytes);

	/** Answers wait: those whose time is over go. */
	protected abstract void watchWaiting();

	/** Whether the client has shown that it takes its results. Any thread. */
	protected abstract boolean takesResults();

	/** As the application sees the connection; null until calls may come. */
	protected abstract @Nullable RpcConnection listened();

	/** Address and port of the client. Any thread. */
	final String peer() {
		return this.connection.remote();
	}

	/** A call that was counted as in flight is over. Any thread. */
	public final void callEnded() {
		callsEnded(1);
	}

	/** Run something later; null if the connection has ended. Any thread. */
	final @Nullable Future<?> schedule(Runnable task, long delayNanos) {
		try {
			return this.connection.loop().schedule(task, delayNanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return null;
		}
	}

	/** After the last word: the client is to read it first, but not to stay. */
	public final void closeAfterFlush() {
		this.queue.enqueue(new ControlFrame(FrameType.PONG, 0, 0, OutboundFrame.NOTHING, this.connection::halfClose));
		this.connection.loop().schedule(this.connection::close, 1, TimeUnit.SECONDS);
	}

	/** Close because of what this side cannot do. Any thread. */
	final void closeNow() {
		this.connection.close();
	}

	/** Close because of what the client did: what was read with that is not looked at. */
	public final void closeWithError(String reason) {
		if (!this.closed) {
			this.goingAway = true;
			this.problem = reason;
			warn("Connection closed", reason);
			this.connection.close();
		}
	}

	/** A client is refused what is offered: no peer chooses the kind. */
	public final void warn(String reason, Object kind, String detail) {
		this.server.log.warn(reason, kind, () -> this.connection + ": " + detail, null);
	}

	public final void warn(String reason, String detail) {
		this.server.log.warn(reason, this.connection + ": " + detail);
	}

	/**
	 * A one-way call does not begin, and nobody else learns of it. Any thread.
	 * @param kind what is logged together
	 */
	public final void dropped(Object kind, Supplier<String> what) {
		this.server.counts.dropped.increment();
		this.server.log.warn("One-way call dropped", kind, () -> this.connection + ": " + what.get(), null);
	}

}
