package io.rpcboot.internal.client.call;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.context.RpcContext.ListenerRegistration;
import io.rpcboot.internal.concurrent.NonBlockingTask;
import io.rpcboot.internal.context.CurrentTask;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.resilience.RoutingOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metadata of a call: attachments, own deadline, routing tag and key, and the parent call
 * that this process serves and for which the call is made. Most calls have none, and then
 * no object of this class.
 */
public final class CallMetadata {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private static final long NANOS_OF_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/** Time allowed from the start of the call. */
	final long allowedNanos;

	/**
	 * Time that the caller and its parent allow for a whole stream from the start of its
	 * call; {@link Long#MAX_VALUE} for any. Written before the call is published.
	 */
	long wholeNanos = Long.MAX_VALUE;

	/**
	 * Encoded attachments, empty if there are none. Replaced by the event loop right
	 * before the call is written.
	 */
	private byte[] attachments;

	/** Encoded attachments without the optional ones. */
	private final byte[] requiredAttachments;

	/** Parent call whose end ends this call, null if there is none. */
	private final @Nullable RpcContext parent;

	private final @Nullable CallerContext caller;

	/** Tag of the instances that may get the call; null if any may. */
	public final @Nullable String tag;

	/** Hash of the routing key, 0 without a key. Written before the call is published. */
	public int keyHash;

	/** True if optional attachments were dropped because of their size. */
	public boolean isLessThanWanted;

	/** Supplier of the endpoint of the call, null before the call begins. */
	private volatile @Nullable Supplier<@Nullable Endpoint> place;

	/**
	 * Attachments of the reply. Written and read by the thread that completes the call.
	 */
	public Attachments reply = Attachments.none();

	/**
	 * Takes the end of a stream, null for none. Written before the call is published.
	 */
	public @Nullable Consumer<@Nullable Throwable> streamEnd;

	private @Nullable ListenerRegistration link;

	private boolean ended;

	public CallMetadata(long allowedNanos, byte[] attachments, byte[] requiredAttachments, @Nullable String tag,
			@Nullable RpcContext parent, @Nullable CallerContext caller) {
		this.allowedNanos = allowedNanos;
		this.attachments = attachments;
		this.requiredAttachments = requiredAttachments;
		this.tag = tag;
		this.parent = parent;
		this.caller = caller;
	}

	/**
	 * Creates the metadata that the calling thread adds to a call; null for none.
	 * @param startNanos start of the call
	 * @param forwarded names of the parent's attachments that are sent along
	 * @throws RpcException if the parent call has ended
	 */
	public static @Nullable CallMetadata ofCaller(BoundMethod method, long startNanos, Set<String> forwarded,
			AttachmentsEncoder encoder) {
		if (CurrentTask.current() == null) {
			return null;
		}
		CallerContext caller = CallerContext.current(null);
		return of(method, startNanos, attachments(caller, forwarded), method.timeoutNanos(caller.options()), caller,
				encoder);
	}

	/**
	 * Creates metadata.
	 * @param startNanos start of the call
	 * @param timeoutNanos time allowed from the start, unless the parent has less left
	 * @throws RpcException if the parent call has ended
	 */
	public static CallMetadata of(BoundMethod method, long startNanos, Attachments attachments, long timeoutNanos,
			CallerContext caller, AttachmentsEncoder encoder) {
		RpcContext parent = method.isDetached(caller.options()) ? null : caller.served();
		long allowed = timeoutNanos;
		CallOptions options = caller.options();
		long whole = (options != null && options.timeout() != null) ? timeoutNanos : Long.MAX_VALUE;
		if (parent != null) {
			// ends with the parent and not before, so that both have the same status
			long left = remaining(method, parent);
			long own = Math.max(left, left + System.nanoTime() - startNanos);
			allowed = Math.min(timeoutNanos, own);
			whole = Math.min(whole, own);
		}
		Attachments sent = encoder.fitting(attachments);
		byte[] encoded = encode(method, sent, encoder);
		byte[] required = (sent.required() != sent) ? encode(method, sent.required(), encoder) : encoded;
		CallMetadata made = new CallMetadata(allowed, encoded, required, attachments.get(RoutingOptions.TAG_ATTACHMENT),
				parent, caller);
		made.wholeNanos = whole;
		made.isLessThanWanted = sent != attachments;
		made.keyHash = RoutingKeys.hash(attachments.get(RoutingOptions.KEY_ATTACHMENT));
		return made;
	}

	/**
	 * Returns the metadata of a call whose method has a key argument. A key that the
	 * metadata has already takes precedence.
	 * @param given null if the call has no other metadata
	 */
	public static CallMetadata withKey(BoundMethod method, @Nullable Object @Nullable [] arguments,
			@Nullable CallMetadata given) {
		CallMetadata result = (given != null) ? given
				: new CallMetadata(method.timeoutNanos, OutboundFrame.NOTHING, OutboundFrame.NOTHING, null, null, null);
		if (result.keyHash == 0 && arguments != null) {
			result.keyHash = RoutingKeys.hash(arguments[method.keyArgument]);
		}
		return result;
	}

	/** Returns the attachments of a call before interceptors change them. */
	public static Attachments attachments(CallerContext caller, Set<String> forwarded) {
		RpcContext served = caller.served();
		CallOptions options = caller.options();
		Attachments all = new Attachments();
		if (served != null && !forwarded.isEmpty()) {
			forwarded.forEach((name) -> {
				String value = served.attachments().get(name);
				if (value != null) {
					all.put(name, value);
				}
			});
		}
		return (options != null) ? all.putAll(options.attachments()) : all;
	}

	private static byte[] encode(BoundMethod method, Attachments attachments, AttachmentsEncoder encoder) {
		if (attachments.isEmpty()) {
			return OutboundFrame.NOTHING;
		}
		try {
			return encoder.encode(attachments);
		}
		catch (IllegalArgumentException ex) {
			throw FailureMessages.refused(method.descriptor, RpcStatus.INVALID_ARGUMENT,
					String.valueOf(ex.getMessage()), null);
		}
	}

	/** Returns the time that the parent has left. */
	private static long remaining(BoundMethod method, RpcContext parent) {
		long remaining = parent.remaining().toNanos();
		if (remaining <= 0) {
			throw FailureMessages.refused(method.descriptor, RpcStatus.DEADLINE_EXCEEDED,
					"the parent call of %s has no time left".formatted(parent.method()), null);
		}
		if (parent.isCancelled()) {
			throw FailureMessages.refused(method.descriptor, RpcStatus.CANCELLED, parentCancelled(parent), null);
		}
		return remaining;
	}

	/** Returns the status of a call whose parent was cancelled. */
	private static RpcStatus statusOfCancelled(RpcContext parent) {
		return parent.remaining().isZero() ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED;
	}

	private static String parentCancelled(RpcContext parent) {
		return "the parent call of %s was cancelled or has timed out".formatted(parent.method());
	}

	/**
	 * Fails the call if its parent has ended.
	 * @throws RpcException in that case
	 */
	public void requireParent(BoundMethod method) {
		if (this.parent != null) {
			remaining(method, this.parent);
		}
	}

	/** Returns true if the parent call has ended without waiting for this call. */
	public boolean isParentCancelled() {
		return this.parent != null && this.parent.isCancelled();
	}

	/** Returns metadata for another call of the same caller. */
	public CallMetadata again() {
		CallMetadata made = new CallMetadata(this.allowedNanos, this.attachments, this.requiredAttachments, this.tag,
				this.parent, this.caller);
		made.keyHash = this.keyHash;
		made.wholeNanos = this.wholeNanos;
		return made;
	}

	/** Returns the encoded attachments, empty if there are none. */
	public byte[] attachments() {
		return this.attachments;
	}

	/**
	 * Drops the optional attachments. Event loop, before the call is written.
	 * @return false if there are none
	 */
	public boolean dropOptional() {
		boolean some = this.attachments != this.requiredAttachments;
		this.attachments = this.requiredAttachments;
		return some;
	}

	/** Returns the last endpoint of the call; null before it has one. Any thread. */
	public @Nullable Endpoint endpoint() {
		Supplier<@Nullable Endpoint> known = this.place;
		return (known != null) ? known.get() : null;
	}

	/**
	 * Links the call with its parent: an early end of the parent ends the call.
	 * @param end ends the call with a status and a message
	 * @param place returns the endpoint of the call
	 */
	public void begins(BiConsumer<RpcStatus, String> end, Supplier<@Nullable Endpoint> place) {
		this.place = place;
		RpcContext before = this.parent;
		if (before == null) {
			return;
		}
		NonBlockingTask cancel = () -> end.accept(statusOfCancelled(before), parentCancelled(before));
		ListenerRegistration made = before.onCancel(cancel);
		synchronized (this) {
			this.link = made;
			if (!this.ended) {
				return;
			}
		}
		made.remove();
	}

	/** Removes the link with the parent at the end of the call. Any thread. */
	void ended() {
		ListenerRegistration made;
		synchronized (this) {
			this.ended = true;
			made = this.link;
		}
		if (made != null) {
			made.remove();
		}
	}

	/**
	 * Passes the end of a stream on to interceptors.
	 * @param failure null if the stream is complete; a {@code CancellationException} if
	 * its subscriber has cancelled it
	 */
	void streamEnded(@Nullable Throwable failure) {
		if (this.streamEnd != null) {
			this.streamEnd.accept(failure);
		}
	}

	/** Passes the attachments of the reply on to the listener. */
	public void answered(Attachments arrived) {
		this.reply = arrived;
		CallOptions options = (this.caller != null) ? this.caller.options() : null;
		Consumer<Attachments> listener = (options != null) ? options.replyListener() : null;
		try {
			if (listener != null) {
				listener.accept(arrived);
			}
		}
		catch (Throwable ex) { // the call completes all the same
			logger.warn("A listener of CallOptions.onReply has failed", ex);
		}
	}

	/** Runs code that hangs on the end of the call as the code that has made it. */
	void resume(Runnable task) {
		if (this.caller != null) {
			this.caller.resume(task);
		}
		else {
			task.run();
		}
	}

	/** Passes the attachments of a failure on to the listener. */
	void failed(RpcException failure) {
		if (!failure.replyAttachments().isEmpty()) {
			answered(Attachments.of(failure.replyAttachments()));
		}
	}

	/** Returns the timeout of the call as text. */
	String allowed() {
		String time = FailureMessages.text(Duration.ofNanos(this.allowedNanos + NANOS_OF_A_MILLI - 1));
		return (this.parent != null) ? time + ", which is at most what the parent call had left" : time;
	}

}
