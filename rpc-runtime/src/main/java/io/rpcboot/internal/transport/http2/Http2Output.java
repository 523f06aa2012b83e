package io.rpcboot.internal.transport.http2;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * Output of a connection: the writer of its frames, and the window of DATA that its peer
 * gives to all streams together. Control frames go through the write queue as all others.
 * Event loop only.
 */
public final class Http2Output {

	public final WriteQueue queue;

	public final Http2FrameWriter writer;

	public final Http2BlockedFrames blocked;

	/** Bytes of DATA that the peer takes on this connection. */
	private int window = Http2Settings.DEFAULT_WINDOW_SIZE;

	/** Window of a new stream. */
	private int streamWindow = Http2Settings.DEFAULT_WINDOW_SIZE;

	/** Total of sent bytes of DATA. */
	private long sent;

	/** Total by which the peer has raised the window of this connection. */
	private long raised;

	/** Creates the output of a new connection. */
	public Http2Output(WriteQueue queue) {
		this(queue, new Http2FrameWriter());
	}

	/**
	 * Creates the output of a new connection.
	 * @param writer turns frames into bytes
	 */
	public Http2Output(WriteQueue queue, Http2FrameWriter writer) {
		this.queue = queue;
		this.writer = writer;
		this.blocked = new Http2BlockedFrames(queue, this);
	}

	/** Writes one frame, or several. Event loop only. */
	@FunctionalInterface
	public interface Encoder {

		/** Writes into a buffer. */
		void encode(Http2FrameWriter writer, ByteBuf out);

	}

	/**
	 * Sends a frame beside HEADERS and DATA. Any thread.
	 * @param encoder writes the frame
	 */
	public void control(Encoder encoder) {
		this.queue.enqueue(new Http2ControlFrame(this.writer, encoder, null));
	}

	/**
	 * Sends a frame beside HEADERS and DATA. Any thread.
	 * @param encoder writes the frame
	 * @param afterwards run after the write, or if there is none
	 */
	public void control(Encoder encoder, Runnable afterwards) {
		if (!this.queue.enqueue(new Http2ControlFrame(this.writer, encoder, afterwards))) {
			afterwards.run();
		}
	}

	/**
	 * Ends a stream. Any thread.
	 * @param streamId its id
	 * @param error reason
	 */
	public void reset(int streamId, Http2Error error) {
		control((writer, out) -> writer.rstStream(out, streamId, error));
	}

	/**
	 * Raises a window of the peer.
	 * @param streamId id of the stream, 0 for the connection
	 * @param increment number of bytes, from 1
	 */
	public void windowUpdate(int streamId, int increment) {
		control((writer, out) -> writer.windowUpdate(out, streamId, increment));
	}

	/** Returns the bytes of DATA that the peer takes on this connection, 0 or more. */
	public int window() {
		return this.window;
	}

	/** Returns the window of a new stream. */
	public int streamWindow() {
		return this.streamWindow;
	}

	/** Counts DATA that is written next. */
	void takeWindow(int bytes) {
		this.window -= bytes;
		this.sent += bytes;
	}

	/**
	 * Raises the window of this connection.
	 * @throws Http2Exception in scope of the connection if it exceeds 2^31 - 1
	 */
	public void onWindowUpdate(int increment) {
		if (increment > Integer.MAX_VALUE - this.window) {
			throw Http2Exception.connection(Http2Error.FLOW_CONTROL_ERROR,
					"window of the connection (expected: at most 2^31 - 1)");
		}
		this.window += increment;
		this.raised += increment;
		this.blocked.resume();
	}

	/**
	 * Adopts SETTINGS of the peer and acknowledges them. The header table changes when
	 * the acknowledgement is written, so that no block before it uses the new one.
	 * @return change of the window of each stream that is open
	 * @throws Http2Exception in scope of the connection if the peer does not read answers
	 */
	public int onSettings(Http2Settings settings) {
		int changed = (int) settings.get(Http2Settings.INITIAL_WINDOW_SIZE, this.streamWindow);
		int difference = changed - this.streamWindow;
		this.streamWindow = changed;
		acknowledge((writer, out) -> {
			writer.apply(settings);
			writer.settingsAck(out);
		});
		return difference;
	}

	/**
	 * Answers a PING.
	 * @param data of the PING
	 * @throws Http2Exception in scope of the connection if the peer does not read answers
	 */
	public void onPing(long data) {
		acknowledge((writer, out) -> writer.pingAck(out, data));
	}

	/** Sends an acknowledgement before DATA that the acknowledged frame allows. */
	private void acknowledge(Encoder encoder) {
		Http2ControlFrame acknowledgement = new Http2ControlFrame(this.writer, encoder, null);
		if (!this.queue.writeNow(acknowledgement, OutboundFrame.NOTHING)) {
			this.blocked.addAcknowledgement(acknowledgement);
		}
	}

	/** Returns the total of sent bytes of DATA. */
	public long sent() {
		return this.sent;
	}

	/** Returns the total by which the peer has raised the window of this connection. */
	public long raised() {
		return this.raised;
	}

	/**
	 * Returns the total of sent bytes while DATA waits for the peer to read, -1 while
	 * none does.
	 */
	public long blockedBytes() {
		return this.blocked.waitsForReader() ? this.sent : -1;
	}

	/**
	 * Runs a task when all frames that are in the queue now are written.
	 * @param afterwards run also if they cannot be written
	 */
	public void afterFlush(Runnable afterwards) {
		control((writer, out) -> {
		}, afterwards);
	}

}
