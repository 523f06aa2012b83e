package io.rpcboot.internal.server.call;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.security.RefusedCall;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client as its calls see it: its limits, and the count of its calls. A
 * call that was started is in flight until {@link #callEnded} is called for it, or
 * {@link #callsEnded} if its response cannot be written.
 */
public interface ServerTransport {

	/** Returns the resources that all connections share. Any thread. */
	ServerResources server();

	/** Returns the bytes of responses that wait or are being written. Any thread. */
	AtomicLong unsent();

	/** Returns the largest response body that both sides allow, in bytes. Any thread. */
	int maxResponse();

	/** Returns the address of the client. Any thread. */
	String remote();

	/** Returns true if no other process can read the connection. Any thread. */
	boolean isPrivate();

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

	/**
	 * Reports a call that its caller may not make and no interceptor sees. Any thread.
	 * @param service empty for all calls of the connection
	 * @param method empty for all methods of the service
	 */
	default void refused(CallerIdentity caller, String service, String method, RpcStatus status) {
		AccessControl access = server().access;
		RpcConnection client = listened();
		if (access != null && client != null) {
			access.report(new RefusedCall(remote(), client.application(), client.protocol(), caller, service, method,
					status));
		}
	}

	/** Returns true if the client has shown that it reads its responses. Any thread. */
	boolean takesResults();

	/**
	 * Counts a call out and records it with its batch: its response was written, skipped,
	 * or its write failed. Event loop only.
	 */
	void callEnded(ScheduledCall call);

	/** Counts calls out without recording them. Any thread. */
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
