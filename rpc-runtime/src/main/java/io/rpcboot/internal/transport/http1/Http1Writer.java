package io.rpcboot.internal.transport.http1;

import java.util.Collection;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

/**
 * Writes what HTTP/1.1 has of the frames of HTTP/2: DATA are their bytes alone. Others
 * are not written; what they ask of the peer this side does itself. Event loop only.
 */
public final class Http1Writer extends Http2FrameWriter {

	/** Does what a frame would ask of the peer. Event loop only, while it is written. */
	public interface Listener {

		/** Returns true if another request may follow the current one. */
		boolean persists();

		/** Called when bytes of a body are written. */
		void onBody(int bytes, boolean isLast);

		/** Called when the peer may send more of its request. */
		void onWindow(int streamId, int bytes);

		/** Called when the current request ends without a response, or too early. */
		void onReset(Http2Error error);

		/**
		 * Called when no request may follow the current one.
		 * @param isFinal false while those are served that arrive
		 */
		void onGoAway(boolean isFinal);

		/** Called for a PING, which wants an answer. */
		void onPing(long data);

	}

	private @Nullable Listener listener;

	/** True while the body of a response is in chunks. */
	private boolean isChunked;

	/** True behind the first chunk. */
	private boolean hasChunk;

	/** Creates a writer. */
	public Http1Writer() {
	}

	/** Sets who follows the frames, before the first one. */
	public void follow(Listener follower) {
		this.listener = follower;
	}

	private Listener listener() {
		if (this.listener == null) {
			throw new IllegalStateException("no listener");
		}
		return this.listener;
	}

	/**
	 * Writes the head of a response.
	 * @param length bytes of the body, which DATA have; -1 for one in chunks, which
	 * {@link #end} ends
	 * @param fields further fields
	 */
	public void head(ByteBuf out, int status, String contentType, int length,
			Collection<Map.Entry<String, String>> fields) {
		ByteBufUtil.writeAscii(out, "HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\n");
		field(out, "content-type", contentType);
		this.isChunked = length < 0;
		this.hasChunk = false;
		field(out, this.isChunked ? "transfer-encoding" : "content-length",
				this.isChunked ? "chunked" : String.valueOf(length));
		fields.forEach((each) -> field(out, each.getKey(), each.getValue()));
		if (!listener().persists()) {
			field(out, "connection", "close");
		}
		ByteBufUtil.writeAscii(out, "\r\n");
		if (length == 0) {
			listener().onBody(0, true);
		}
	}

	/** Writes the end of a body in chunks, behind the last one. */
	public void end(ByteBuf out) {
		if (this.isChunked) {
			ByteBufUtil.writeAscii(out, "\r\n0\r\n\r\n");
		}
	}

	/** Values are printable ASCII: attachments are encoded so. */
	private static void field(ByteBuf out, String name, String value) {
		ByteBufUtil.writeAscii(out, name);
		out.writeByte(':').writeByte(' ');
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			out.writeByte((c >= ' ' && c <= '~') ? c : '?');
		}
		out.writeByte('\r').writeByte('\n');
	}

	@Override
	public void dataHeader(ByteBuf out, int streamId, int length, boolean endStream) {
		if (this.isChunked) {
			ByteBufUtil.writeAscii(out, (this.hasChunk ? "\r\n" : "") + Integer.toHexString(length) + "\r\n");
			this.hasChunk = true;
		}
		listener().onBody(length, endStream);
	}

	@Override
	public void rstStream(ByteBuf out, int streamId, Http2Error error) {
		listener().onReset(error);
	}

	@Override
	public void goAway(ByteBuf out, int lastStreamId, Http2Error error, String debug) {
		listener().onGoAway(lastStreamId != Integer.MAX_VALUE);
	}

	@Override
	public boolean hasPing() {
		return false;
	}

	@Override
	public void ping(ByteBuf out, long data) {
		listener().onPing(data);
	}

	@Override
	public void windowUpdate(ByteBuf out, int streamId, int increment) {
		listener().onWindow(streamId, increment);
	}

	@Override
	public void settings(ByteBuf out, Http2Settings settings) {
		// HTTP/1.1 has none
	}

	@Override
	public void settingsAck(ByteBuf out) {
		// HTTP/1.1 has none
	}

	@Override
	public void pingAck(ByteBuf out, long data) {
		// HTTP/1.1 has none
	}

}
