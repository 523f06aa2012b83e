package io.rpcboot.internal.transport.http2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;

import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.BlockedFrames;
import io.rpcboot.internal.transport.write.WriteQueue;
import org.jspecify.annotations.Nullable;

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
	private final ArrayDeque<OutboundFrame> acknowledgements = new ArrayDeque<>();

	private final ArrayDeque<OutboundFrame> awaitingSocket = new ArrayDeque<>();

	/** Streams that have more DATA, in the order of their turns. */
	private final ArrayDeque<OutboundFrame> turns = new ArrayDeque<>();

	/** Streams whose own window is empty. */
	private final LinkedHashSet<OutboundFrame> awaitingStreamWindow = new LinkedHashSet<>();

	/** Number of all frames, for other threads. */
	private int size;

	Http2BlockedFrames(WriteQueue queue, Http2Output output) {
		super(queue);
		this.output = output;
	}

	@Override
	protected void add(OutboundFrame frame, WriteDecision decision) {
		switch (decision) {
			case HOLD -> this.awaitingSocket.add(frame);
			case WAIT -> {
				this.turns.add(frame);
				if (this.output.window() > 0) {
					this.resumed = true; // its turn is over, and there is more to send
				}
			}
			case WAIT_FOR_MEMORY -> this.awaitingStreamWindow.add(frame);
			default -> {
			}
		}
		update();
	}

	private void update() {
		int beforeTurns = this.acknowledgements.size() + this.awaitingSocket.size();
		this.size = beforeTurns + this.turns.size() + this.awaitingStreamWindow.size();
		this.hasFrames = beforeTurns > 0;
	}

	@Override
	protected void write() {
		this.resumed = false;
		while (!this.acknowledgements.isEmpty() && this.queue.isWritable()) {
			tryAgain(this.acknowledgements.remove());
		}
		for (int i = this.awaitingSocket.size(); i > 0; i--) {
			tryAgain(this.awaitingSocket.remove());
		}
		while (!this.turns.isEmpty() && this.output.window() > 0 && this.queue.isWritable()) {
			tryAgain(this.turns.remove());
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

	private void tryAgain(OutboundFrame frame) {
		add(frame, this.queue.write(frame));
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

	private void resumeTurns() {
		update();
		this.resumed = true;
		this.queue.schedule();
	}

	@Override
	public void resume() {
		if (this.size > this.awaitingStreamWindow.size()) {
			resumeTurns();
		}
	}

	/**
	 * Tries a stream at once if it waits for a window.
	 * @param stream not wanted any more, so it does not wait again
	 */
	public void unblock(OutboundFrame stream) {
		if (this.awaitingStreamWindow.remove(stream) || this.turns.remove(stream)) {
			tryAgain(stream);
			this.queue.schedule();
		}
	}

	/**
	 * Drops the streams that are expired: calls {@link OutboundFrame#beforeWrite} of each
	 * once more, which ends it.
	 * @return true if frames are left
	 */
	public boolean dropExpired() {
		List<OutboundFrame> expired = new ArrayList<>();
		take(this.awaitingSocket.iterator(), expired);
		take(this.turns.iterator(), expired);
		take(this.awaitingStreamWindow.iterator(), expired);
		expired.forEach(this::tryAgain);
		update();
		if (!expired.isEmpty()) {
			this.queue.schedule();
		}
		return this.size > 0;
	}

	private static void take(Iterator<OutboundFrame> frames, List<OutboundFrame> expired) {
		while (frames.hasNext()) {
			OutboundFrame frame = frames.next();
			if (frame.isExpired()) {
				frames.remove();
				expired.add(frame);
			}
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

	/** Returns true if DATA waits for a window. */
	public boolean waitsForWindow() {
		return !this.awaitingStreamWindow.isEmpty() || !this.turns.isEmpty();
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	protected @Nullable OutboundFrame poll() {
		OutboundFrame frame = this.acknowledgements.poll();
		if (frame == null) {
			frame = this.awaitingSocket.poll();
		}
		if (frame == null) {
			frame = this.turns.poll();
		}
		if (frame == null && !this.awaitingStreamWindow.isEmpty()) {
			frame = this.awaitingStreamWindow.iterator().next();
			this.awaitingStreamWindow.remove(frame);
		}
		update();
		return frame;
	}

}
