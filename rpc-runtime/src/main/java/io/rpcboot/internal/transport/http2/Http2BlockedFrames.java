package io.rpcboot.internal.transport.http2;

import java.util.List;

import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.BlockedFrameQueue;
import io.rpcboot.internal.transport.write.BlockedFrames;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * The frames of an HTTP/2 connection that cannot be written yet: those that wait for the
 * socket, streams that take turns at the window of the connection, and streams whose own
 * window is empty. A stream sends one quantum in its turn, so that a long message does
 * not hold up the others. Event loop only.
 */
public final class Http2BlockedFrames extends BlockedFrames {

	private static final int MAX_AWAITING_SOCKET = 10_000;

	/**
	 * A peer that reads has one or two on their way. The native protocol has the same
	 * bound.
	 */
	private static final int MAX_ACKNOWLEDGEMENTS = 64;

	private final Http2Output output;

	/** Acknowledgements of SETTINGS and PING, which go before all others. */
	private final BlockedFrameQueue acknowledgements;

	private final BlockedFrameQueue awaitingSocket;

	/** Streams that have more DATA, in the order of their turns. */
	private final BlockedFrameQueue turns;

	/** Streams whose own window is empty. */
	private final BlockedFrameQueue awaitingStreamWindow;

	Http2BlockedFrames(WriteQueue queue, Http2Output output) {
		this(queue, output, BlockedFrameQueue.create(), BlockedFrameQueue.create(), BlockedFrameQueue.create(),
				BlockedFrameQueue.indexed());
	}

	private Http2BlockedFrames(WriteQueue queue, Http2Output output, BlockedFrameQueue acknowledgements,
			BlockedFrameQueue socket, BlockedFrameQueue turns, BlockedFrameQueue streamWindows) {
		super(queue, List.of(acknowledgements, socket), List.of(turns, streamWindows));
		this.output = output;
		this.acknowledgements = acknowledgements;
		this.awaitingSocket = socket;
		this.turns = turns;
		this.awaitingStreamWindow = streamWindows;
	}

	@Override
	protected void add(OutboundFrame frame, WriteDecision decision) {
		switch (decision) {
			case BLOCKED_BY_SOCKET -> this.awaitingSocket.add(frame);
			case BLOCKED_BY_WINDOW -> {
				this.turns.add(frame);
				if (this.output.window() > 0) {
					this.resumed = true; // its turn is over, and there is more to send
				}
			}
			case BLOCKED_BY_STREAM -> this.awaitingStreamWindow.add(frame);
			default -> {
			}
		}
		update();
	}

	@Override
	protected void update() {
		this.hasFrames = !this.acknowledgements.isEmpty() || !this.awaitingSocket.isEmpty();
	}

	@Override
	protected void write() {
		this.resumed = false;
		while (!this.acknowledgements.isEmpty() && this.queue.isWritable()) {
			tryAgain(this.acknowledgements.take());
		}
		for (int i = this.awaitingSocket.size(); i > 0; i--) {
			tryAgain(this.awaitingSocket.take());
		}
		while (!this.turns.isEmpty() && this.output.window() > 0 && this.queue.isWritable()) {
			tryAgain(this.turns.take());
		}
		this.resumed = false;
		update();
	}

	/**
	 * Adds the acknowledgement of a frame of the peer. Acknowledgements keep their order.
	 * @throws Http2Exception in scope of the connection if the peer sends such frames
	 * without reading the answers
	 */
	void addAcknowledgement(OutboundFrame frame) {
		if (this.acknowledgements.size() == MAX_ACKNOWLEDGEMENTS) {
			throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM,
					"acknowledgements that the peer does not read (expected: at most 64)");
		}
		this.acknowledgements.add(frame);
		resumeTurns();
	}

	/**
	 * Lets a stream take turns again, because its own window was raised.
	 * @param stream may not be blocked
	 */
	void windowRaised(OutboundFrame stream) {
		if (this.awaitingStreamWindow.remove(stream)) {
			this.turns.add(stream);
			resumeTurns();
		}
	}

	/**
	 * Returns true if DATA waits for a peer that reads nothing. One that reads may leave
	 * the window of a single stream empty where the stream allows that.
	 */
	boolean waitsForReader() {
		return !this.turns.isEmpty() || this.awaitingStreamWindow
			.hasAny((frame) -> !(frame instanceof Http2Stream stream && stream.mayPause()));
	}

	private void resumeTurns() {
		update();
		this.resumed = true;
		this.queue.schedule();
	}

	@Override
	public void resume() {
		if (this.hasFrames || !this.turns.isEmpty()) {
			resumeTurns();
		}
	}

	/**
	 * Requires that the peer reads: frames that wait for the socket are at most 10,000
	 * beside acknowledgements.
	 * @throws Http2Exception in scope of the connection
	 */
	public void requireRead() {
		if (this.awaitingSocket.size() > MAX_AWAITING_SOCKET) {
			throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM,
					"frames that the peer does not read (expected: at most 10,000)");
		}
	}

}
