package io.rpcboot.internal.server.call;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.stream.InboundElements;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.internal.stream.WaitingThread;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * Elements that a client sends with one call: the argument of its method. They run where
 * the method runs; those of an {@code Iterator} or {@code Stream} on the thread that
 * takes them.
 */
public final class RequestElements implements InboundElements.Owner {

	/** Longest time that a thread of the server waits for an element. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

	private final Stream stream;

	private final InboundElements elements = new InboundElements(this, Side.SERVER);

	/** Null until its method begins. */
	private volatile @Nullable ServerCall call;

	/** Callbacks that the elements are replies to; null without callbacks. */
	private volatile @Nullable CallbackCalls callbacks;

	/** Ends the elements at the deadline of the call; null without one. */
	private volatile @Nullable Future<?> deadline;

	/** Stream of the request, as its elements see it. Any thread. */
	public interface Stream {

		/** Gives memory back. */
		void release(int reserved);

		/**
		 * Gives bytes back to the window, for which the client may send others.
		 * @param hasWaited true if the method has waited for one of the elements
		 */
		void restoreWindow(int bytes, boolean hasWaited);

		/** The method takes no more elements. */
		void takesNoMore();

		/** Returns the codec that reads an element. */
		MethodCodec codec(byte[] bytes, int length);

	}

	public RequestElements(Stream stream) {
		this.stream = stream;
	}

	/** Returns the elements that arrive. */
	public InboundElements arriving() {
		return this.elements;
	}

	/**
	 * Returns the arguments of a method. Thread of the method.
	 * @param source array with the first message, which may have an element
	 */
	public @Nullable Object[] arguments(ServerCall begun, byte[] source, int offset, int length) {
		this.call = begun;
		@Nullable Object[] all = begun.method.hasElementsOnly ? blank(begun)
				: begun.invocation.codec.deserializeArguments(source, offset, length);
		if (begun.method.streamParameter >= 0) {
			putStream(begun, all, begun.method.streamParameter, length);
		}
		else {
			putCallbacks(begun, all);
		}
		if (begun.allowedNanos != Long.MAX_VALUE) {
			this.deadline = begun.responder.connection.schedule(this::timeIsOver,
					begun.allowedNanos - (System.nanoTime() - begun.startNanos));
		}
		return all;
	}

	private void putStream(ServerCall begun, @Nullable Object[] all, int index, int length) {
		Object first = all[index];
		if (first != null && !isAbsent(first)) {
			this.elements.startsWith(first, length);
		}
		all[index] = StreamType.of(begun.method.method.getParameterTypes()[index], this.elements, LONGEST_WAIT, () -> {
		}); // ends with its call
	}

	private void putCallbacks(ServerCall begun, @Nullable Object[] all) {
		CallbackCalls calls = new CallbackCalls(begun, (StreamSink) begun.sink);
		this.callbacks = calls;
		this.elements.subscribe(calls);
		List<Object> proxies = calls.proxies();
		List<Integer> parameters = begun.method.descriptor.callbackParameters();
		for (int i = 0; i < proxies.size(); i++) {
			all[parameters.get(i)] = proxies.get(i);
		}
	}

	private static @Nullable Object[] blank(ServerCall begun) {
		@Nullable Object[] all = new @Nullable Object[begun.method.method.getParameterCount()];
		int context = begun.method.descriptor.contextParameter();
		if (context >= 0) {
			all[context] = RpcContext.current();
		}
		return all;
	}

	/** Returns true for what a first message without an element has. */
	private static boolean isAbsent(Object value) {
		return (value instanceof Collection<?> all) ? all.isEmpty() : (value instanceof Map<?, ?> map) && map.isEmpty();
	}

	private void timeIsOver() {
		ServerCall late = this.call;
		if (late != null && !late.responseStarted) {
			late.cancel();
			fail(RpcStatus.DEADLINE_EXCEEDED, "the time of the call is over");
		}
	}

	/** Fails the elements at once. Any thread. */
	public void fail(RpcStatus status, String why) {
		this.elements.fail(() -> new RpcException(status, why, true));
	}

	/** Ends the callbacks: the response is sent next. Any thread. */
	public void answers() {
		CallbackCalls calls = this.callbacks;
		if (calls != null) {
			calls.ended();
		}
	}

	/** Ends with the response of the call. Any thread. */
	public void ended() {
		answers();
		Future<?> timer = this.deadline;
		if (timer != null) {
			timer.cancel(false);
		}
		fail(RpcStatus.CANCELLED, "the method has ended before its stream");
	}

	@Override
	public void deliver(Runnable task, Flow.Subscriber<?> to) {
		if (to instanceof CallbackCalls calls) {
			calls.deliver(task);
			return;
		}
		if (to instanceof WaitingThread.Waits waits) {
			waits.thread().execute(task);
			return;
		}
		try {
			new MethodThread(Objects.requireNonNull(this.call)).execute(task);
		}
		catch (Throwable ex) { // no thread for it
			task.run();
		}
	}

	@Override
	public @Nullable Object read(byte[] bytes, int length, long index) {
		Object value;
		try {
			value = this.stream.codec(bytes, length).deserializeElement(bytes, 0, length);
		}
		catch (RuntimeException ex) {
			throw new RpcException(ErrorResponse.statusOfUnreadable(ex),
					"element %d of the stream: %s".formatted(index, ErrorResponse.unreadable(ex)), true);
		}
		if (value == null) {
			throw new RpcException(RpcStatus.INVALID_ARGUMENT,
					"element %d of the stream is absent (expected: a value)".formatted(index), true);
		}
		return value;
	}

	@Override
	public void release(int reserved) {
		this.stream.release(reserved);
	}

	@Override
	public void restoreWindow(int bytes, boolean hasWaited) {
		this.stream.restoreWindow(bytes, hasWaited);
	}

	@Override
	public void unwanted(String why) {
		this.stream.takesNoMore();
		this.elements.end();
	}

	/** Ends a call whose result perhaps never comes. */
	@Override
	public void misbehaved() {
		ServerCall begun = this.call;
		if (begun != null) {
			begun.cancel();
		}
	}

	@Override
	public @Nullable Throwable outcome() {
		return null;
	}

	@Override
	public String toString() {
		ServerCall begun = this.call;
		return (begun != null) ? begun.method.descriptor.toString() : "request";
	}

}
