package io.rpcboot.internal.transport.http2;

import java.util.function.Function;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2FrameListener;
import io.rpcboot.internal.protocol.http2.Http2FrameReader;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ProtocolHandler;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/** Reads the frames of an HTTP/2 connection for a {@link Listener}. Event loop only. */
public final class Http2Handler extends ProtocolHandler {

	/** Receives the frames and the life of a connection. Event loop only. */
	public interface Listener extends ProtocolHandler.Listener, Http2FrameListener {

		/**
		 * Called when the peer has violated the protocol; no frame follows. Sends GOAWAY
		 * and closes the connection.
		 */
		void onConnectionError(Http2Exception error);

		/**
		 * Called after a read that ends within a frame or a header block, and after the
		 * one that completes it. May throw as the methods for frames.
		 * @param held memory of what is not complete, in bytes; 0 for nothing
		 * @param number number of the frame; the next one has another
		 */
		void onIncomplete(int held, long number);

		/** Returns the long body that is arriving, null if there is none. */
		@Nullable ArrivingBody arrivingBody();

	}

	private final Listener listener;

	private final Function<byte[], Http2FrameReader> readers;

	@SuppressWarnings("NullAway.Init")
	private Http2FrameReader reader;

	/** True if the last read ended within a frame or a header block. */
	private boolean isWithinFrame;

	/**
	 * Creates a handler.
	 * @param listener receives the frames
	 * @param readers creates the reader of the frames with the array of an event loop
	 */
	public Http2Handler(Connection connection, Listener listener, Function<byte[], Http2FrameReader> readers) {
		super(connection, listener);
		this.listener = listener;
		this.readers = readers;
	}

	@Override
	protected void begin(byte[] chunk) {
		this.reader = this.readers.apply(chunk);
	}

	@Override
	protected void read(ByteBuf in, long nanos) {
		this.reader.read(in);
		int held = this.reader.held();
		if (held > 0 || this.isWithinFrame) {
			this.isWithinFrame = held > 0;
			this.listener.onIncomplete(held, this.reader.complete());
		}
	}

	@Override
	public void stop() {
		this.reader.stop();
	}

	@Override
	protected void failed(Throwable reason) {
		if (reason instanceof Http2Exception violation) {
			stop();
			this.listener.onConnectionError(violation);
		}
		else {
			super.failed(reason);
		}
	}

	@Override
	public Protocol protocol() {
		return Protocol.GRPC;
	}

	@Override
	public boolean isInBody() {
		return this.listener.arrivingBody() != null;
	}

	@Override
	public long bodyBeganNanos() {
		ArrivingBody body = this.listener.arrivingBody();
		return (body != null) ? body.beganNanos() : 0;
	}

	@Override
	public int bodyBytes() {
		ArrivingBody body = this.listener.arrivingBody();
		return (body != null) ? body.filled() : 0;
	}

}
