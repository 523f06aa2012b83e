package io.rpcboot.internal.client.reference;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.RpcException;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.StreamCall;
import io.rpcboot.internal.stream.StreamType;
import org.jspecify.annotations.Nullable;

/**
 * Result of a method that returns or takes a stream: each subscriber makes a call. The
 * metadata of the first one are those of the thread that has called the method. Any
 * thread.
 */
final class StreamPublisher implements Flow.Publisher<@Nullable Object> {

	private final ServiceProxy proxy;

	private final BoundMethod method;

	private final @Nullable Object @Nullable [] arguments;

	/** Stream of the caller, null if it sends none. */
	private final Flow.@Nullable Publisher<?> sent;

	/** Metadata of the first call, null for none. */
	private final @Nullable CallMetadata metadata;

	private final AtomicBoolean isUsed = new AtomicBoolean();

	/**
	 * Creates a result.
	 * @param sent elements of the caller, which are no arguments; null if it sends none
	 */
	StreamPublisher(ServiceProxy proxy, BoundMethod method, @Nullable Object @Nullable [] arguments,
			Flow.@Nullable Publisher<?> sent, @Nullable CallMetadata metadata) {
		this.proxy = proxy;
		this.method = method;
		this.arguments = arguments;
		this.sent = sent;
		this.metadata = metadata;
	}

	/** Returns the result of a method that returns or takes a stream. */
	static StreamPublisher of(ServiceProxy proxy, BoundMethod method, @Nullable Object @Nullable [] arguments,
			@Nullable CallMetadata metadata) {
		@Nullable Object @Nullable [] own = (arguments != null) ? arguments.clone() : null;
		Flow.Publisher<?> sent = (own != null && method.streamParameter >= 0)
				? StreamType.publisher(own[method.streamParameter], proxy.options.maxFrameSize) : null;
		if (own != null && sent != null) { // the first message has no element
			own[method.streamParameter] = null;
		}
		return new StreamPublisher(proxy, method, own, sent, metadata);
	}

	@Override
	public void subscribe(Flow.Subscriber<? super @Nullable Object> subscriber) {
		subscribe(subscriber, null);
	}

	/**
	 * Begins a call.
	 * @param future cancels the call, null for none
	 */
	void subscribe(Flow.Subscriber<? super @Nullable Object> subscriber, @Nullable CallFuture future) {
		boolean isFirst = this.isUsed.compareAndSet(false, true);
		StreamCall call = new StreamCall(this.proxy, this.method, System.nanoTime(), subscriber, this.sent);
		CallMetadata own = (this.metadata == null || isFirst) ? this.metadata : this.metadata.again();
		call.context = (this.method.keyArgument < 0) ? own : CallMetadata.withKey(this.method, this.arguments, own);
		RpcException failure = null;
		try {
			if (this.method.hasElementsOnly) {
				this.proxy.startWithElements(call, future);
			}
			else {
				this.proxy.start(call, this.arguments, future);
			}
		}
		catch (RpcException ex) {
			this.method.recordUnsent(ex.status(), call.startNanos);
			failure = ex;
		}
		call.subscribed(failure);
	}

}
