package io.rpcboot.internal.server.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.concurrent.NonBlockingTask;
import io.rpcboot.internal.protocol.AttachmentsSection;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.TracedCallRecorder;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * A call as its implementation sees it. Made when somebody asks for it, or when the call
 * has brought attachments. Stands beside server call.
 */
final class ServerCallContext implements RpcContext {

	private static final String ANSWERED = "the answer of this call was made";

	private static final Attachments NO_REPLY = new Attachments();

	static {
		NO_REPLY.freeze(ANSWERED);
	}

	private final ScheduledCall call;

	private final ServerTransport link;

	private final Attachments attachments;

	/** Null until somebody asks for it. */
	private @Nullable Attachments reply;

	/** Those who want to know of the end; null when they were told, or never will be. */
	private @Nullable Set<ListenerRegistration> listeners = Set.of();

	/** Ends the wait of those who know of no deadline themselves; null if nobody does. */
	private @Nullable Future<?> timer;

	/** To which trace it belongs, null for none. Written by an interceptor. */
	volatile @Nullable String traceId;

	/** The call on its way through interceptors, null if there are none. */
	ServerInterceptorChain.@Nullable Run run;

	ServerCallContext(ScheduledCall call, ServerTransport link, Attachments attachments) {
		this.call = call;
		this.link = link;
		this.attachments = attachments;
	}

	@Override
	public MethodDescriptor method() {
		return this.call.method.descriptor;
	}

	@Override
	public RpcConnection connection() {
		RpcConnection connection = this.link.listened();
		if (connection == null) {
			throw new IllegalStateException("the connection is not established");
		}
		return connection;
	}

	@Override
	public Attachments attachments() {
		return this.attachments;
	}

	@Override
	public Attachments replyAttachments() {
		Attachments made = this.reply;
		if (made == null) {
			made = new Attachments();
			this.reply = made;
		}
		return made;
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
					this.timer = this.link.schedule(this::cancelled, Math.max(0, remainingNanos()));
				}
			}
			else {
				late = isCancelled();
			}
		}
		if (late) { // without the lock, for the end of a call may run what others wrote
			tell(added);
		}
		if (this.call.cancelled) {
			cancelled();
		}
		return added;
	}

	private boolean hasDeadline() {
		return this.call.allowedNanos != Long.MAX_VALUE && !this.call.oneWay;
	}

	/** Nobody waits for the result any more. Any thread, more than once. */
	void cancelled() {
		List<ListenerRegistration> told;
		synchronized (this) {
			if (this.listeners == null || this.call.oneWay) {
				return;
			}
			told = new ArrayList<>(this.listeners);
			this.listeners = null;
		}
		told.forEach((each) -> tell((Listener) each));
	}

	private void tell(Listener listener) {
		if (listener.task instanceof NonBlockingTask) {
			listener.run();
			return;
		}
		this.link.server.runHook(this.call.method.line, listener::run);
	}

	/** The call is answered, or will not be: nobody is told of its end any more. */
	void ended() {
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
			this.reply.freeze(ANSWERED);
		}
		else {
			this.reply = NO_REPLY;
		}
		ServerInterceptorChain.Run last = this.run;
		this.run = null; // what keeps this keeps little
		if (last != null) {
			last.ended(this.call.status, Duration.ofNanos(System.nanoTime() - this.call.startNanos));
		}
	}

	/** Where the end of the call is recorded; null for nowhere. */
	@Nullable CallRecorder recorder() {
		return TracedCallRecorder.of(this.call.method.recorder, this.traceId);
	}

	/**
	 * Write before an answer.
	 * @param most bytes that the answer may have for it
	 * @return the flag of the answer; 0 if nothing was written
	 * @throws SerializationException if it takes more
	 */
	int write(OutputBuffer out, int most) {
		byte[] section = section(most);
		out.write(section, 0, section.length);
		return (section.length > 0) ? FrameHeader.FLAG_ATTACHMENTS : 0;
	}

	/** What goes before an answer; empty for nothing, as for clients that take none. */
	byte[] section(int most) {
		int takes = this.link.clientTakesAttachments;
		if (this.reply == null || this.reply.isEmpty() || takes == 0) {
			return new byte[0];
		}
		int room = Math.min(takes, most);
		try {
			return AttachmentsSection.encode(AttachmentsSection.fitting(this.reply, room), room);
		}
		catch (IllegalArgumentException ex) {
			throw new SerializationException("attachments of the reply: " + ex.getMessage());
		}
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
