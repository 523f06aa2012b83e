package io.rpcboot.internal.server.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.interceptor.ThreadScope;
import io.rpcboot.internal.call.ScopedContext;
import io.rpcboot.internal.call.ThreadScopes;
import io.rpcboot.internal.concurrent.NonBlockingTask;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.TracedCallRecorder;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Context of a call as its implementation and interceptors see it. Created on first use,
 * or when the request has attachments. Any thread.
 */
final class ServerCallContext implements ScopedContext {

	private static final String RESPONDED = "the response of this call was sent";

	private static final Attachments NO_REPLY = new Attachments();

	static {
		NO_REPLY.freeze(RESPONDED);
	}

	private final ScheduledCall call;

	private final Supplier<CallerIdentity> caller;

	private final ServerTransport transport;

	private final Attachments attachments;

	/**
	 * Attachments of the response; null until the first use. Not synchronized: code of
	 * the call uses it on one thread at a time, at last the thread that answers.
	 */
	private @Nullable Attachments reply;

	/** Listeners for the cancellation; null once they were run or removed. */
	private @Nullable Set<ListenerRegistration> listeners = Set.of();

	/**
	 * Runs the listeners at the deadline; null without a listener that needs it. A
	 * {@link NonBlockingTask} needs none: it cancels a nested call, whose own deadline is
	 * not later.
	 */
	private @Nullable Future<?> timer;

	/** Scopes of interceptors, null without any. */
	private volatile @Nullable ThreadScopes scopes;

	/** Trace of the call, null without one. Written by an interceptor. */
	volatile @Nullable String traceId;

	/**
	 * Run through the interceptors; null without any, and once the call has ended.
	 * Written by the thread that runs the call, then by the thread that answers it.
	 */
	ServerInterceptorChain.@Nullable Run run;

	ServerCallContext(ScheduledCall call, Supplier<CallerIdentity> caller, ServerTransport transport,
			Attachments attachments) {
		this.call = call;
		this.caller = caller;
		this.transport = transport;
		this.attachments = attachments;
	}

	@Override
	public MethodDescriptor method() {
		return this.call.method.descriptor;
	}

	@Override
	public RpcConnection connection() {
		RpcConnection connection = this.transport.listened();
		if (connection == null) {
			throw new IllegalStateException("the connection is not established");
		}
		return connection;
	}

	@Override
	public CallerIdentity caller() {
		return this.caller.get();
	}

	@Override
	public Attachments attachments() {
		return this.attachments;
	}

	@Override
	public Attachments replyAttachments() {
		Attachments created = this.reply;
		if (created == null) {
			created = new Attachments();
			this.reply = created;
		}
		return created;
	}

	@Override
	public Duration remaining() {
		return Duration.ofNanos(Math.max(0, remainingNanos()));
	}

	private long remainingNanos() {
		long waited = System.nanoTime() - this.call.startNanos;
		return (this.call.oneWay || this.call.allowedNanos == Long.MAX_VALUE) ? Long.MAX_VALUE
				: this.call.allowedNanos - waited;
	}

	@Override
	public boolean isCancelled() {
		return !this.call.oneWay && (this.call.cancelled || remainingNanos() <= 0);
	}

	@Override
	public ListenerRegistration onCancel(Runnable listener) {
		Listener added = new Listener(listener);
		boolean late = false;
		synchronized (this) {
			if (this.listeners != null) {
				this.listeners = this.listeners.isEmpty() ? new LinkedHashSet<>() : this.listeners;
				this.listeners.add(added);
				if (!(listener instanceof NonBlockingTask) && this.timer == null && hasDeadline()) {
					this.timer = this.transport.schedule(this::cancelled, Math.max(0, remainingNanos()));
				}
			}
			else {
				late = isCancelled();
			}
		}
		if (late) { // without the lock: the listener is code of the application
			run(added);
		}
		if (this.call.cancelled) {
			cancelled();
		}
		return added;
	}

	synchronized void addScope(ThreadScope scope) {
		ThreadScopes all = this.scopes;
		if (all == null) {
			all = new ThreadScopes();
			this.scopes = all;
		}
		all.add(scope);
	}

	@Override
	public void inScopes(Runnable task) {
		ThreadScopes.run(this.scopes, task);
	}

	private boolean hasDeadline() {
		return this.call.allowedNanos != Long.MAX_VALUE && !this.call.oneWay;
	}

	/**
	 * Runs the listeners, because the caller no longer waits. The first call runs them:
	 * those that never block on this thread, others on a hook thread. Later calls do
	 * nothing, nor does a call for a one-way call. Any thread.
	 */
	void cancelled() {
		List<ListenerRegistration> due;
		synchronized (this) {
			if (this.listeners == null || this.call.oneWay) {
				return;
			}
			due = new ArrayList<>(this.listeners);
			this.listeners = null;
		}
		due.forEach((each) -> run((Listener) each));
	}

	private void run(Listener listener) {
		if (listener.task instanceof NonBlockingTask) {
			listener.run();
			return;
		}
		this.transport.server().runHook(this.call.method.queue, listener::run);
	}

	/**
	 * Ends the context with the call: runs listeners if the call is cancelled, then no
	 * more.
	 */
	void ended(RpcStatus status) {
		if (isCancelled()) {
			cancelled();
		}
		synchronized (this) {
			this.listeners = null;
			if (this.timer != null) {
				this.timer.cancel(false);
			}
		}
		if (this.reply != null) {
			this.reply.freeze(RESPONDED);
		}
		else {
			this.reply = NO_REPLY;
		}
		ServerInterceptorChain.Run last = this.run;
		this.run = null; // a context that is kept must not keep the arguments
		if (last != null) {
			inScopes(() -> last.ended(status, Duration.ofNanos(System.nanoTime() - this.call.startNanos)));
		}
	}

	/**
	 * Returns the recorder of the call, null without metrics. It knows the caller if that
	 * is not the client of the connection, or the call has a trace.
	 */
	@Nullable CallRecorder recorder() {
		RpcConnection connection = this.transport.listened();
		boolean isClient = connection != null && connection.identity() == caller();
		return TracedCallRecorder.of(this.call.invocation.recorder, this.traceId,
				(isClient && this.traceId == null) ? null : this.call.caller());
	}

	/** Writes the attachments of the response, if there are any. */
	void attach(ResponseSink sink, int max, OutputBuffer out) {
		Attachments attachments = response();
		if (attachments != null) {
			sink.attach(attachments, max, out);
		}
	}

	/** Returns the attachments of the response, null without any. */
	@Nullable Attachments response() {
		return (this.reply == null || this.reply.isEmpty()) ? null : this.reply;
	}

	private final class Listener implements ListenerRegistration {

		private @Nullable Runnable task;

		Listener(Runnable task) {
			this.task = task;
		}

		void run() {
			Runnable next = take();
			if (next != null) {
				next.run();
			}
		}

		private synchronized @Nullable Runnable take() {
			Runnable next = this.task;
			this.task = null;
			return next;
		}

		@Override
		public void remove() {
			take();
			synchronized (ServerCallContext.this) {
				if (ServerCallContext.this.listeners != null && !ServerCallContext.this.listeners.isEmpty()) {
					ServerCallContext.this.listeners.remove(this);
				}
			}
		}

	}

}
