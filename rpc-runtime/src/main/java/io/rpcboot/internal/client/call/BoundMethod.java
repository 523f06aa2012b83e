package io.rpcboot.internal.client.call;

import java.time.Duration;
import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.context.CallOptions;
import io.rpcboot.internal.transport.eventloop.NonBlockingThreads;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Method of a reference with its options. Immutable except for cached texts. Any thread.
 */
public final class BoundMethod {

	public final MethodDescriptor descriptor;

	/** Style in which callers wait. */
	public final Style style;

	public final MethodCodec codec;

	/** Recorder of metrics, null without metrics. */
	public final @Nullable CallRecorder recorder;

	final long timeoutNanos;

	/** Time allowed for a whole stream; {@link Long#MAX_VALUE} for any. */
	final long wholeNanos;

	/** Number of the method on the wire. */
	public final int number;

	/** Text of the descriptor, null until it is needed. */
	private @Nullable String name;

	/** Message of a call without a reply, null until it is needed. */
	private @Nullable String noReply;

	/** True if its calls go on after the end of the call that makes them. */
	final boolean detached;

	/** True if failed calls may be retried. */
	public final boolean isRepeatable;

	/** True if slow calls are also sent to a second instance. */
	public final boolean isHedged;

	/** True if its calls use the retry budget and refill it. */
	public final boolean usesBudget;

	/**
	 * Index of the argument that is the routing key, {@link RoutingKeys#NONE} if none is.
	 */
	public final int keyArgument;

	/** Index of the argument that is a stream of the caller, -1 if none is. */
	public final int streamParameter;

	/** Interfaces of the callbacks, in the order of the parameters. */
	public final List<ServiceDescriptor> callbacks;

	/** True if the caller sends a stream, gets one, or both, or has callbacks. */
	public final boolean isStreaming;

	/** True if the request has nothing but elements of a stream. */
	public final boolean hasElementsOnly;

	/**
	 * Creates a method.
	 * @param timeoutNanos time allowed for a reply, or the first element of a stream
	 * @param wholeNanos time allowed for a whole stream; {@link Long#MAX_VALUE} for any
	 */
	public BoundMethod(MethodDescriptor descriptor, MethodCodec codec, @Nullable CallRecorder recorder,
			long timeoutNanos, long wholeNanos, int number, boolean detached, boolean repeatable, boolean hedged,
			int keyArgument) {
		this.descriptor = descriptor;
		this.style = descriptor.style();
		this.codec = codec;
		this.recorder = recorder;
		this.timeoutNanos = timeoutNanos;
		this.wholeNanos = wholeNanos;
		this.number = number;
		this.detached = detached;
		this.isRepeatable = repeatable;
		this.isHedged = hedged;
		this.usesBudget = repeatable || hedged;
		this.keyArgument = keyArgument;
		this.streamParameter = descriptor.streamParameter();
		this.callbacks = descriptor.callbackParameters()
			.stream()
			.map((each) -> ServiceDescriptor.of(descriptor.method().getParameterTypes()[each]))
			.toList();
		this.isStreaming = descriptor.isStreaming();
		this.hasElementsOnly = descriptor.hasElementsOnly();
	}

	/**
	 * Returns the method for calls to one given instance: without retries, hedging and
	 * routing key, and not blocking.
	 */
	public BoundMethod pinned() {
		MethodDescriptor described = this.descriptor
			.withStyle((this.style == Style.BLOCKING) ? Style.FUTURE : this.style);
		return new BoundMethod(described, this.codec, this.recorder, this.timeoutNanos, this.wholeNanos, this.number,
				this.detached, false, false, RoutingKeys.NONE);
	}

	/**
	 * Returns the method with other options.
	 * @param described the method, which may be idempotent or not
	 */
	public BoundMethod with(MethodDescriptor described, long timeout, long whole, boolean repeatable, boolean hedged) {
		return new BoundMethod(described, this.codec, this.recorder, timeout, whole, this.number, this.detached,
				repeatable, hedged, this.keyArgument);
	}

	/** Returns the method with another recorder. */
	public BoundMethod recordedBy(@Nullable CallRecorder other) {
		return new BoundMethod(this.descriptor, this.codec, other, this.timeoutNanos, this.wholeNanos, this.number,
				this.detached, this.isRepeatable, this.isHedged, this.keyArgument);
	}

	/** Returns the name of service and method. */
	String name() {
		String known = this.name;
		if (known == null) {
			known = this.descriptor.toString();
			this.name = known;
		}
		return known;
	}

	/**
	 * Returns the message of a call that had no reply within its timeout.
	 * @param metadata of the call, null for none
	 */
	public String noReply(@Nullable CallMetadata metadata) {
		if (metadata != null) {
			return FailureMessages.noReply(metadata.allowed());
		}
		String known = this.noReply;
		if (known == null) {
			known = FailureMessages.noReply(FailureMessages.text(Duration.ofNanos(this.timeoutNanos)));
			this.noReply = known;
		}
		return known;
	}

	/** Returns the timeout of a call with options. */
	public long timeoutNanos(@Nullable CallOptions options) {
		return (options != null && options.timeout() != null) ? Options.nanos(options.timeout()) : this.timeoutNanos;
	}

	/**
	 * Returns true if a call with options goes on after the end of the call that makes
	 * it.
	 */
	public boolean isDetached(@Nullable CallOptions options) {
		return this.detached || (options != null && options.isDetached());
	}

	/** Fails a blocking call on a thread that must not block. */
	public void requireBlockingThread() {
		String kind = NonBlockingThreads.kindOfCaller();
		if (kind != null) {
			throw FailureMessages.refused(this.descriptor, RpcStatus.INTERNAL,
					("a blocking call on thread %s, which is %s and must not"
							+ " wait; call from another thread or let the method return a CompletableFuture")
						.formatted(Thread.currentThread().getName(), kind),
					null);
		}
	}

	/** Records a call that failed before it was created. */
	public void recordUnsent(RpcStatus status, long startNanos) {
		if (this.recorder != null) {
			this.recorder.record(status, System.nanoTime() - startNanos, "");
		}
	}

	/** Returns the failure of a call whose server has sent calls of callbacks alone. */
	public RpcException noResult() {
		return FailureMessages.noResult(this.descriptor);
	}

	/** Returns the failure of a call whose reply cannot be read, and records it. */
	RpcException replyNotReadable(@Nullable Endpoint endpoint, RuntimeException cause) {
		recordFailed(Serialization.READ);
		return FailureMessages.replyNotReadable(this.descriptor, endpoint, cause);
	}

	void recordFailed(Serialization direction) {
		if (this.recorder != null) {
			this.recorder.failed(direction);
		}
	}

}
