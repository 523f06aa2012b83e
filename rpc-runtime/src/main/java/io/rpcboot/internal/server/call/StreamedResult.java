package io.rpcboot.internal.server.call;

import java.util.concurrent.Flow;
import java.util.concurrent.Future;
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
 * {@code asked = clamp(room / 2 / size of the last element, 1, MOST)}. No thread is held
 * while the client takes nothing. Signals are serial; any thread may cancel.
 */
public final class StreamedResult implements Flow.Subscriber<@Nullable Object>, ElementSink.Source, RunningResult {

	/** Size of an element before the first one is known, in bytes: one is asked for. */
	private static final int UNKNOWN = 1 << 20;

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
	private volatile int size = UNKNOWN;

	/** Ends the stream at the deadline of the call; null without one. */
	private volatile @Nullable Future<?> deadline;

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
			running.deadline = call.responder.connection.schedule(running::timeIsOver,
					call.allowedNanos - (System.nanoTime() - call.startNanos));
		}
		try {
			publisher.subscribe(running);
		}
		catch (Throwable ex) {
			running.fails(ex);
		}
		if (call.cancelled) {
			running.cancelSoon();
		}
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		if (this.subscription != null) {
			given.cancel();
			return;
		}
		this.subscription = given;
		if (this.over.get()) { // before, or meanwhile
			given.cancel();
			return;
		}
		ask();
	}

	@Override
	public void onNext(@Nullable Object element) {
		if (this.over.get()) {
			return;
		}
		long index = this.elements++;
		if (element == null) {
			fails(broken("element %d of the stream is null (expected: a value)".formatted(index)));
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
		catch (Throwable ex) { // of a getter, or no memory
			fails(ex);
			return;
		}
		finally {
			this.call.responder.server.buffers.release(out);
		}
		this.size = message.length;
		if (!this.sink.next(message)) {
			cancelThen(() -> this.call.fail(ErrorResponse.of(RpcStatus.RESOURCE_EXHAUSTED,
					"rpc.server.memory.limit: no memory for element %d of the stream".formatted(index))));
			return;
		}
		if (this.outstanding.decrementAndGet() <= 0) {
			ask();
		}
	}

	/** Asks for more elements if few bytes wait. */
	private void ask() {
		Flow.Subscription from = this.subscription;
		int room = this.sink.room();
		if (from == null || this.over.get() || room == 0) {
			return;
		}
		int count = Math.max(1, Math.min(MOST, room / 2 / Math.max(1, this.size)));
		if (this.outstanding.compareAndSet(0, count)) {
			from.request(count);
		}
	}

	@Override
	public void onWritten() {
		if (this.outstanding.get() <= 0 && !this.over.get() && this.sink.room() > 0
				&& this.asking.compareAndSet(false, true)) {
			askOnMethodThread();
		}
	}

	@Override
	public void onError(Throwable failure) {
		if (decides()) {
			this.call.completed(null, failure);
		}
	}

	@Override
	public void onComplete() {
		if (decides()) {
			this.call.responder.streamed(this.call, this.sink);
		}
	}

	/** Returns true for the first one that ends the call. */
	private boolean decides() {
		boolean isFirst = this.over.compareAndSet(false, true);
		Future<?> timer = this.deadline;
		if (timer != null) {
			timer.cancel(false);
		}
		return isFirst;
	}

	private static RpcException broken(String why) {
		return new RpcException(RpcStatus.INTERNAL, why, true);
	}

	private void fails(Throwable failure) {
		cancelThen(() -> this.call.completed(null, failure));
	}

	private void timeIsOver() {
		if (!this.over.get()) {
			this.call.cancel();
		}
	}

	/** Cancels on a hook thread: workers may wait for that. */
	@Override
	public void cancelSoon() {
		if (this.over.get()) {
			return;
		}
		Runnable cancel = inContext(() -> cancelThen(() -> this.call.responder.finish(this.call,
				this.call.isTimeOver() ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED)));
		try {
			this.call.responder.server.runHook(this.call.method.queue, cancel);
		}
		catch (Throwable ex) { // no thread for it
			this.call.responder.log(this.call, ex);
			cancel.run();
		}
	}

	/** Cancels the stream, and ends the call if that is not decided yet. */
	private void cancelThen(Runnable end) {
		if (!decides()) {
			return;
		}
		try {
			Flow.Subscription from = this.subscription;
			if (from != null) {
				from.cancel();
			}
		}
		catch (Throwable ex) {
			this.call.responder.log(this.call, ex);
		}
		finally {
			end.run();
		}
	}

	/** Runs code of the application with the context of the call. */
	private Runnable inContext(Runnable task) {
		RpcContext context = this.call.context;
		return (context != null) ? context.wrap(task) : task;
	}

	private void askOnMethodThread() {
		Runnable task = inContext(() -> {
			this.asking.set(false);
			try {
				ask();
			}
			catch (Throwable ex) { // of a publisher, which must not
				fails(ex);
			}
		});
		try {
			if (this.call.method.dispatch == Dispatch.VIRTUAL) {
				this.call.responder.server.virtualThreads.execute(task);
			}
			else if (this.call.method.dispatch == Dispatch.POOL) {
				this.call.responder.server.workers.execute(task);
			}
			else {
				task.run();
			}
		}
		catch (Throwable ex) { // no thread for it
			this.asking.set(false);
			fails(ex);
		}
	}

}
