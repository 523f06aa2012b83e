package io.rpcboot.internal.server.call;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Stream that a method has returned: serializes its elements and sends them. Asks for
 * more while few bytes wait, on the thread of an element, else on a thread of the method:
 * {@code asked = clamp(ROOM / 2 / size of the last element, 1, MOST)}. No thread is held
 * while the client takes nothing. Signals are serial; any thread may cancel.
 */
public final class StreamedResult implements Flow.Subscriber<@Nullable Object>, ElementSink.Source, RunningResult {

	/** Bytes that wait for the client at which no more elements are asked for. */
	private static final int ROOM = 64 * 1024;

	/** Most elements that are asked for at once. */
	private static final int MOST = 256;

	private final ServerCall call;

	private final ElementSink sink;

	private volatile Flow.@Nullable Subscription subscription;

	/** Elements that were asked for and have not come. */
	private final AtomicInteger outstanding = new AtomicInteger();

	/** True while a thread is on its way that asks for more. */
	private final AtomicBoolean asking = new AtomicBoolean();

	/** True once the end of the call is decided. */
	private final AtomicBoolean over = new AtomicBoolean();

	/** Number of elements that have come. Written by their serial threads. */
	private long elements;

	/** Size of the last element in bytes. */
	private volatile int size = ROOM / 2;

	private StreamedResult(ServerCall call, ElementSink sink) {
		this.call = call;
		this.sink = sink;
	}

	/**
	 * Sends the elements of a result. Runs on the thread of the method.
	 * @param started gets the source, before the first element
	 */
	public static void follow(ServerCall call, ElementSink sink, @Nullable Object result,
			Consumer<ElementSink.Source> started) {
		StreamedResult running = new StreamedResult(call, sink);
		Flow.Publisher<?> publisher = StreamType.publisher(result);
		if (publisher == null) {
			running.fails(broken("the method has returned null (expected: a stream, which may be empty)"));
			return;
		}
		started.accept(running);
		call.pending = running;
		if (call.allowedNanos != Long.MAX_VALUE) {
			call.responder.connection.schedule(running::timeIsOver,
					call.allowedNanos - (System.nanoTime() - call.startNanos));
		}
		publisher.subscribe(running);
		if (call.cancelled) {
			running.cancelSoon();
		}
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		if (this.subscription != null || this.over.get()) {
			given.cancel();
			return;
		}
		this.subscription = given;
		ask();
	}

	@Override
	public void onNext(@Nullable Object element) {
		if (this.over.get()) {
			return;
		}
		long index = this.elements++;
		if (element == null) {
			cancelThen(() -> fails(broken("element %d of the stream is null (expected: a value)".formatted(index))));
			return;
		}
		OutputBuffer out = this.call.responder.server.buffers.acquire();
		byte[] message;
		try {
			this.call.invocation.codec.serializeResult(element, out);
			if (out.length() > this.call.responder.connection.maxResponse()) {
				throw new MessageTooLargeException(this.call.responder.connection.maxResponse());
			}
			message = out.toByteArray();
		}
		catch (SerializationException | MemoryShortageException ex) {
			cancelThen(() -> this.call.responder.unserializable(this.call, ex));
			return;
		}
		finally {
			this.call.responder.server.buffers.release(out);
		}
		this.size = message.length;
		this.sink.next(message);
		if (this.outstanding.decrementAndGet() <= 0) {
			ask();
		}
	}

	/** Asks for more elements if few bytes wait. */
	private void ask() {
		Flow.Subscription from = this.subscription;
		if (from == null || this.over.get() || this.sink.waitingBytes() >= ROOM) {
			return;
		}
		int count = Math.max(1, Math.min(MOST, ROOM / 2 / Math.max(1, this.size)));
		if (this.outstanding.compareAndSet(0, count)) {
			from.request(count);
		}
	}

	@Override
	public void onWritten() {
		if (this.outstanding.get() <= 0 && !this.over.get() && this.sink.waitingBytes() < ROOM
				&& this.asking.compareAndSet(false, true)) {
			onMethodThread(() -> {
				this.asking.set(false);
				ask();
			});
		}
	}

	@Override
	public void onNoMemory() {
		onMethodThread(() -> cancelThen(() -> this.call.fail(ErrorResponse.of(RpcStatus.RESOURCE_EXHAUSTED,
				"rpc.server.memory.limit: no memory for element %d of the stream".formatted(this.elements)))));
	}

	@Override
	public void onError(Throwable failure) {
		if (this.over.compareAndSet(false, true)) {
			this.call.completed(null, failure);
		}
	}

	@Override
	public void onComplete() {
		if (this.over.compareAndSet(false, true)) {
			this.call.responder.streamed(this.call, this.sink);
		}
	}

	private static RpcException broken(String why) {
		return new RpcException(RpcStatus.INTERNAL, why, true);
	}

	private void fails(Throwable failure) {
		this.over.set(true);
		this.call.completed(null, failure);
	}

	private void timeIsOver() {
		if (!this.over.get()) {
			this.call.cancel();
		}
	}

	@Override
	public void cancelSoon() {
		onMethodThread(() -> cancelThen(() -> this.call.responder.finish(this.call,
				this.call.isTimeOver() ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED)));
	}

	/** Cancels the stream, and ends the call if that is not decided yet. */
	private void cancelThen(Runnable end) {
		if (!this.over.compareAndSet(false, true)) {
			return;
		}
		try {
			Flow.Subscription from = this.subscription;
			if (from != null) {
				from.cancel();
			}
		}
		catch (RuntimeException ex) {
			this.call.responder.log(this.call, ex);
		}
		finally {
			end.run();
		}
	}

	/** Runs code of the application with the context of the call. */
	private void onMethodThread(Runnable task) {
		RpcContext context = this.call.context;
		Runnable safely = () -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				fails(ex);
			}
		};
		Runnable wrapped = (context != null) ? context.wrap(safely) : safely;
		try {
			if (this.call.method.dispatch == Dispatch.VIRTUAL) {
				this.call.responder.server.virtualThreads.execute(wrapped);
			}
			else if (this.call.method.dispatch == Dispatch.POOL) {
				this.call.responder.server.workers.execute(wrapped);
			}
			else {
				wrapped.run();
			}
		}
		catch (Throwable ex) {
			this.call.responder.log(this.call, ex);
		}
	}

}
