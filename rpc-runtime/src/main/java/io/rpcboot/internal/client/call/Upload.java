package io.rpcboot.internal.client.call;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.internal.stream.ElementSender;
import io.rpcboot.internal.stream.ElementSink;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elements that a caller sends with a call. Its publisher gets its subscriber once the
 * request has begun, on a callback thread; one that may block in it, on a thread for
 * uploads.
 */
final class Upload extends ElementSender {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final StreamCall call;

	private final Flow.Publisher<?> publisher;

	private final boolean blocks;

	private final AtomicBoolean begun = new AtomicBoolean();

	/** Ends the request; null before it has begun. */
	private volatile @Nullable Runnable complete;

	/**
	 * Creates the elements of a call.
	 * @param blocks true if its publisher may wait for its own elements in a thread
	 */
	Upload(StreamCall call, Flow.Publisher<?> publisher, boolean blocks) {
		this.call = call;
		this.publisher = publisher;
		this.blocks = blocks;
	}

	/**
	 * Subscribes, the first time; another time the elements go to another server, because
	 * none was taken. Event loop only.
	 * @param end ends the request
	 */
	void begin(ElementSink sink, Runnable end) {
		this.complete = end;
		if (!this.begun.compareAndSet(false, true)) {
			execute(() -> {
				attach(sink);
				if (isOver()) { // perhaps the end came before
					end.run();
				}
			});
			return;
		}
		execute(() -> {
			if (!this.call.isAbandoned()) {
				send(this.publisher, sink);
			}
			if (this.call.isAbandoned()) { // before it has seen that this has begun
				end();
			}
		});
	}

	/** Returns true if the elements can go to another server: none was taken. */
	boolean mayBeginAgain() {
		return !this.begun.get() || detach();
	}

	/** Ends with the call, on another thread. */
	void end() {
		if (!this.begun.get()) {
			execute(() -> StreamType.discard(this.publisher));
		}
		else if (!isOver()) {
			execute(() -> stop(() -> {
			}));
		}
	}

	@Override
	protected byte[] serialize(Object element) {
		OutputBuffer out = this.call.reference.resources().buffers.acquire();
		try {
			this.call.method.codec.serializeElement(element, out);
			return out.toByteArray();
		}
		finally {
			this.call.reference.resources().buffers.release(out);
		}
	}

	@Override
	protected void unsendable(RuntimeException why) {
		if (why instanceof SerializationException) {
			this.call.method.recordFailed(Serialization.WRITE);
		}
		failed(why);
	}

	@Override
	protected void failed(Throwable failure) {
		this.call.failHere(FailureMessages.uploadFailed(this.call.method.descriptor,
				CallTransport.endpoint(this.call.connection), elements(), failure));
	}

	@Override
	protected void completed() {
		Objects.requireNonNull(this.complete).run();
	}

	@Override
	protected void execute(Runnable task) {
		CallMetadata metadata = this.call.context;
		Runnable resumed = (metadata != null) ? () -> metadata.resume(task) : task;
		if (this.blocks) { // callback threads end calls
			this.call.reference.resources().uploads.execute(resumed);
		}
		else {
			this.call.runLater(resumed);
		}
	}

	@Override
	protected void log(Throwable thrown) {
		logger.warn("{}: the caller's stream has thrown when it was cancelled", this.call.method.descriptor, thrown);
	}

	@Override
	protected String memoryLimit() {
		return "rpc.client.memory.limit";
	}

}
