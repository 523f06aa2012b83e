package io.rpcboot.internal.server.connection;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.call.CallResponder;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.CallBatch;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client at the server, whatever protocol it speaks: admits its calls,
 * hands them to threads and counts them out. {@link ConnectionLifecycle} knows its begin
 * and end; a subclass turns bytes into calls and back. Event loop only, except where
 * {@link ServerTransport} allows any thread.
 */
public abstract class ServerConnection implements ServerTransport {

	protected final Connection connection;

	protected final ServerResources server;

	public final WriteQueue queue;

	/** Batch of recorded calls; null without metrics. */
	private final @Nullable CallBatch batch;

	private final AtomicLong unsent = new AtomicLong();

	public final CallResponder responder;

	/** Introduction, identity, age and end. */
	public final ConnectionLifecycle life;

	/** Calls of the current write batch that are recorded and not counted out yet. */
	private int ended;

	/** True if a call was published since a worker was woken. */
	private boolean published;

	/**
	 * Creates a connection.
	 * @param access decides about calls when they run; null if it is not limited, or
	 * decided when they arrive
	 */
	@SuppressWarnings("this-escape")
	protected ServerConnection(Connection connection, ServerResources server, @Nullable AccessControl access) {
		this.connection = connection;
		this.server = server;
		this.queue = connection.queue();
		this.batch = server.options.metrics.isNone() ? null : new CallBatch(connection.remote());
		this.responder = new CallResponder(this, server, access);
		this.life = new ConnectionLifecycle(this, connection, server);
		this.queue.afterBatch(this::afterBatch);
	}

	/** Returns true while calls are in flight. */
	protected abstract boolean isBusy();

	/**
	 * Returns true while the client needs no other sign of life.
	 * @return {@link #isBusy()} unless some calls last as long as the connection
	 */
	protected boolean isActive() {
		return isBusy();
	}

	/** Returns the highest number of a call that has arrived. */
	protected abstract long lastCall();

	/** Returns the totals for display. Any thread; they may be some calls apart. */
	protected abstract CallTotals totals();

	/**
	 * Returns the identity for display, which may be that of the last call. Any thread.
	 */
	protected CallerIdentity shown(CallerIdentity ofConnection) {
		return ofConnection;
	}

	/** Asks the client to open another connection; its calls are still served. */
	protected abstract void requestReplacement();

	/** Rejects later calls and tells the client. */
	protected abstract void announceGoAway(String why);

	/**
	 * Leaves the client, because the server stops: as {@link #announceGoAway}, or first a
	 * notice. Calls {@link ConnectionLifecycle#left()} when no call is added.
	 */
	protected abstract void leave(String why);

	/** Runs a task when all frames before it are written. */
	protected abstract void afterFlush(Runnable task);

	/** Closes the connection although calls are in flight. */
	protected abstract void closeWithError(String why);

	/** As {@link #closeWithError}, without waiting for the client: memory is short. */
	protected void closeAtOnce(String why) {
		closeWithError(why);
	}

	/**
	 * Checks the connection, twice in each idle timeout.
	 * @param isQuiet true if nothing has arrived since the last check
	 */
	protected abstract void onIdleCheck(boolean isQuiet);

	/** Returns a number that changes while the client takes responses. */
	protected abstract long progress();

	/**
	 * Returns the total of response bytes sent while some are blocked by a window of the
	 * client, -1 while none is.
	 */
	protected abstract long blockedBytes();

	/** Notes who the client is: the first time it is known, and each change. */
	protected abstract void onIdentified(CallerIdentity before, CallerProof proof);

	/** Refuses the client: its credentials are not valid. */
	protected void onRefused(AccessDenial why) {
		closeWithError(why.message());
	}

	/** Releases all that the protocol holds: the connection is closed. */
	protected abstract void release();

	/** Rejects a call that was not counted, because too many are in flight. */
	protected abstract void rejectFull(ServerCall call, String why);

	/** Counts a call as in flight; returns false if it was rejected. */
	protected final boolean admit(ServerCall call) {
		int calls = this.server.inFlight.incrementAndGet();
		return calls <= this.server.countingThreshold || admitsCounted(call, calls);
	}

	/**
	 * Returns true if a call may start that was counted as in flight, above the counting
	 * threshold; else counts it out and rejects it.
	 * @param all calls in flight, with this one and with streams
	 */
	protected final boolean admitsCounted(ServerCall call, int all) {
		int calls = all - this.server.openStreams();
		int most = this.server.options.maxInFlightCalls;
		if (calls <= this.server.countingThreshold) {
			return true;
		}
		if (calls <= most && call.method.queue.tryJoinOverflow()) {
			call.countsAgainstService = true;
			return true;
		}
		callsEnded(1);
		rejectFull(call, (calls > most) ? full(most) : full(calls) + ", and too many of this service");
		return false;
	}

	/** Returns why a call is rejected by the limit of calls in flight. */
	protected static String full(int calls) {
		return "rpc.server.limits.in-flight-calls: " + calls + " calls are in flight at the server";
	}

	/**
	 * Hands an admitted call to a thread; {@link #wakeWorkers} follows.
	 * @param body belongs to the call
	 */
	protected final void dispatch(ServerCall call, byte[] body, int offset, int length) {
		call.request(body, offset, length);
		this.published |= call.dispatch();
	}

	/** Wakes a worker if calls were published. */
	public final void wakeWorkers() {
		if (this.published) {
			this.published = false;
			this.server.workers.wake();
		}
	}

	@Override
	public final void callEnded(ScheduledCall call) {
		this.ended++;
		call.ended(this.queue.drainNanos(), this.batch);
	}

	/** Counts out the calls whose responses the last batch has written. */
	protected void afterBatch() {
		if (this.ended > 0) {
			int calls = this.ended;
			this.ended = 0;
			callsEnded(calls);
			if (this.batch != null) {
				this.batch.publish();
			}
		}
	}

	@Override
	public final void callsEnded(int calls) {
		if (this.server.inFlight.addAndGet(-calls) == 0 && this.server.isDraining) {
			this.server.onIdle();
		}
	}

	@Override
	public final ServerResources server() {
		return this.server;
	}

	@Override
	public final AtomicLong unsent() {
		return this.unsent;
	}

	@Override
	public final String remote() {
		return this.connection.remote();
	}

	@Override
	public final boolean isPrivate() {
		return this.connection.isPrivate();
	}

	@Override
	public final @Nullable RpcConnection listened() {
		return this.life.listened();
	}

	@Override
	public final boolean takesResults() {
		return this.life.progress.takesResults();
	}

	@Override
	public final void watchBlocked() {
		this.life.progress.watchBlocked();
	}

	@Override
	public final void dropped(Object kind, Supplier<String> detail) {
		this.server.log.warn("One-way call dropped", kind, () -> this.connection + ": " + detail.get(), null);
		this.server.counts.dropped.increment();
	}

	@Override
	public final @Nullable Future<?> schedule(Runnable task, long delayNanos) {
		try {
			return this.connection.loop().schedule(task, delayNanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return null;
		}
	}

	@Override
	public final void closeNow() {
		this.connection.close();
	}

}
