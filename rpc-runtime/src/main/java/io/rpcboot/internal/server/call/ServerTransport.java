package io.rpcboot.internal.server.call;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.flow.SendWindow;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client as its calls see it: its limits, and the count of its calls. A
 * call that was started is in flight until exactly one of {@link #callEnded} and
 * {@link #callRejected} is called for it. Both count it out by {@link #callsEnded}, which
 * is called alone only for calls that end before they start.
 */
public interface ServerTransport {

	/** Returns the resources that all connections share. Any thread. */
	ServerResources server();

	/** Returns the window of response bytes that the client grants. Event loop only. */
	SendWindow replies();

	/** Returns the bytes of responses that wait or are being written. Any thread. */
	AtomicLong unsent();

	/** Returns the largest response body that both sides allow, in bytes. Any thread. */
	int maxResponse();

	/** Returns the bytes of attachments that the client accepts. Any thread. */
	int maxAttachments();

	/**
	 * Returns the connection as connection listeners and contexts of calls see it, null
	 * before the handshake.
	 */
	@Nullable RpcConnection listened();

	/**
	 * Returns application and address of the client for messages; empty before the
	 * handshake.
	 */
	default String client() {
		RpcConnection client = listened();
		if (client == null) {
			return "";
		}
		return client.application().isEmpty() ? client.remote() : client.application() + " (" + client.remote() + ")";
	}

	/** Returns true if the client has shown that it reads its responses. Any thread. */
	boolean takesResults();

	/**
	 * Removes a call from the table of the connection and gives its request bytes back to
	 * the window of the client, because its response is written or skipped next. Event
	 * loop only.
	 */
	void release(ScheduledCall call);

	/**
	 * Counts a call out and records it with its batch: its response was written, skipped,
	 * or its write failed. Event loop only.
	 */
	void callEnded(ScheduledCall call);

	/**
	 * Counts a call out whose response cannot be written, because the connection has
	 * ended. Any thread.
	 */
	void callRejected(ScheduledCall call);

	/**
	 * Counts calls out that were counted as in flight, without recording them. Any
	 * thread.
	 */
	void callsEnded(int calls);

	/** Counts and logs a one-way call that does not run. Any thread. */
	void dropped(Object kind, Supplier<String> detail);

	/** Looks for expired responses while some are blocked. Event loop only. */
	void watchBlocked();

	/** Runs a task later; returns null if the event loop has ended. Any thread. */
	@Nullable Future<?> schedule(Runnable task, long delayNanos);

	/** Closes the connection because of a failure of this side. Any thread. */
	void closeNow();

}
