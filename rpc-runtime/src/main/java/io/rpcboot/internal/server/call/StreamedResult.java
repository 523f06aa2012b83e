package io.rpcboot.internal.server.call;

import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.stream.ElementSender;
import io.rpcboot.internal.stream.ElementSink;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Stream that a method has returned: sends its elements. Asks for more on the thread of
 * an element, else on a thread of the method.
 */
public final class StreamedResult extends ElementSender implements RunningResult {

	private final ServerCall call;

	private final StreamSink sink;

	private final MethodThread thread;

	/** Ends the stream at the deadline of the call; null without one. */
	private volatile @Nullable Future<?> deadline;

	private StreamedResult(ServerCall call, StreamSink sink) {
		this.call = call;
		this.sink = sink;
		this.thread = new MethodThread(call);
	}

	/**
	 * Sends the elements of a result. Runs on the thread of the method.
	 * @param started gets the source, before the first element
	 */
	public static void follow(ServerCall call, StreamSink sink, @Nullable Object result,
			Consumer<ElementSink.Source> started) {
		StreamedResult running = new StreamedResult(call, sink);
		Flow.Publisher<?> publisher = StreamType.publisher(result, call.responder.connection.maxResponse());
		if (publisher == null) {
			running.failed(new RpcException(RpcStatus.INTERNAL,
					"the method has returned null (expected: a stream, which may be empty)", true));
			return;
		}
		started.accept(running);
		call.pending = running;
		if (call.allowedNanos != Long.MAX_VALUE) {
			running.deadline = call.responder.connection.schedule(running::timeIsOver,
					call.allowedNanos - (System.nanoTime() - call.startNanos));
		}
		running.thread.inContext(() -> running.send(publisher, sink)).run();
		if (call.cancelled) {
			running.cancelSoon();
		}
	}

	@Override
	protected byte[] serialize(Object element) {
		OutputBuffer out = this.call.responder.server.buffers.acquire();
		try {
			this.call.invocation.codec.serializeResult(element, out);
			if (out.length() > this.call.responder.connection.maxResponse()) {
				throw new MessageTooLargeException(this.call.responder.connection.maxResponse());
			}
			return out.toByteArray();
		}
		finally {
			this.call.responder.server.buffers.release(out);
		}
	}

	@Override
	protected void unsendable(RuntimeException why) {
		if (why instanceof SerializationException || why instanceof MemoryShortageException) {
			this.call.responder.unserializable(this.call, why);
		}
		else {
			failed(why);
		}
	}

	@Override
	protected void failed(Throwable failure) {
		this.call.completed(null, failure);
	}

	@Override
	protected void completed() {
		this.call.responder.streamed(this.call, this.sink);
	}

	@Override
	protected void decided() {
		Future<?> timer = this.deadline;
		if (timer != null) {
			timer.cancel(false);
		}
	}

	@Override
	protected void log(Throwable thrown) {
		this.call.responder.log(this.call, thrown);
	}

	@Override
	protected String memoryLimit() {
		return "rpc.server.memory.limit";
	}

	/** Tells the client, which may have no clock, unless it takes nothing. */
	private void timeIsOver() {
		if (!isOver()) {
			endSoon(() -> this.call.fail(ErrorResponse.of(RpcStatus.DEADLINE_EXCEEDED,
					"its time was over while the server sent its stream")));
		}
	}

	/** Cancels on a hook thread: workers may wait for that. */
	@Override
	public void cancelSoon() {
		if (!isOver()) {
			endSoon(() -> this.call.responder.finish(this.call,
					this.call.isTimeOver() ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED));
		}
	}

	private void endSoon(Runnable end) {
		Runnable cancel = this.thread.inContext(() -> stop(end));
		try {
			this.call.responder.server.runHook(this.call.method.queue, cancel);
		}
		catch (Throwable ex) { // no thread for it
			this.call.responder.log(this.call, ex);
			cancel.run();
		}
	}

	@Override
	protected void execute(Runnable task) {
		this.thread.execute(task);
	}

}
