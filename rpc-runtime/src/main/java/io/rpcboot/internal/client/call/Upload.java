package io.rpcboot.internal.client.call;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.internal.stream.ElementSender;
import io.rpcboot.internal.stream.ElementSink;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elements that a caller sends with a call. Its publisher gets its subscriber once the
 * request has begun, on a callback thread.
 */
final class Upload extends ElementSender {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final StreamCall call;

	private final Flow.Publisher<?> publisher;

	private final AtomicBoolean begun = new AtomicBoolean();

	/** Ends the request; null before it has begun. */
	private volatile @Nullable Runnable complete;

	Upload(StreamCall call, Object stream) {
		this.call = call;
		this.publisher = Objects.requireNonNull(StreamType.publisher(stream));
	}

	/**
	 * Subscribes. Event loop, once.
	 * @param end ends the request
	 */
	void begin(ElementSink sink, Runnable end) {
		this.complete = end;
		this.begun.set(true);
		execute(() -> {
			if (!this.call.isAbandoned()) {
				send(this.publisher, sink);
			}
			if (this.call.isAbandoned()) { // before it has seen that this has begun
				end();
			}
		});
	}

	/** Returns true once elements may have been taken from the caller. */
	boolean hasBegun() {
		return this.begun.get();
	}

	/** Ends with the call, on a callback thread. */
	void end() {
		if (hasBegun() && !isOver()) {
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
			this.call.failHere(this.call.reference.resources().notSerialized(this.call, why),
					"an element cannot be sent");
		}
		else {
			failed(why);
		}
	}

	@Override
	protected void failed(Throwable failure) {
		this.call.failHere(FailureMessages.uploadFailed(this.call.method.descriptor,
				CallTransport.endpoint(this.call.connection), elements(), failure), "the caller's stream has failed");
	}

	@Override
	protected void completed() {
		Objects.requireNonNull(this.complete).run();
	}

	@Override
	protected void execute(Runnable task) {
		CallMetadata metadata = this.call.context;
		this.call.runLater((metadata != null) ? () -> metadata.resume(task) : task);
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
