package io.rpcboot.internal.server.connection.http2;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.Http2Stream;

/**
 * Request that is not of gRPC: its response has a status of HTTP and a text. It is sent
 * when the request has ended: an earlier answer would hide its errors.
 */
final class PlainAnswer extends Http2Stream {

	private static final String TYPE = "text/plain; charset=utf-8";

	private final ResponseHeaders headers;

	/** Removes this stream from those of its connection. */
	private final Consumer<Http2Stream> release;

	private final int status;

	private final List<Map.Entry<String, String>> fields;

	/**
	 * Creates the stream.
	 * @param headers writes HEADERS
	 * @param release removes this stream from its connection
	 * @param beganNanos time of the request, as {@link System#nanoTime()}
	 * @param status status of HTTP
	 * @param fields header fields of the response
	 * @param text reason for the client, empty for none; not sent to one that asks for
	 * HEAD
	 */
	@SuppressWarnings("this-escape")
	PlainAnswer(Http2Output output, ResponseHeaders headers, Consumer<Http2Stream> release, int streamId,
			long beganNanos, RequestHeaders request, int status, List<Map.Entry<String, String>> fields, String text) {
		super(output, beganNanos, request.allowedNanos());
		open(streamId);
		announced(request.contentLength());
		this.headers = headers;
		this.release = release;
		this.status = status;
		this.fields = fields;
		byte[] message = (text.isEmpty() || request.verb().equals("HEAD")) ? NOTHING
				: (text + "\n").getBytes(StandardCharsets.UTF_8);
		body(message, message.length);
		splits();
	}

	/** Answers before the window of a long body is used up. */
	@Override
	protected void onBody(byte[] in, int from, int to) {
		if (this.remoteClosed || receiveWindow() < Http2Limits.STREAM_WINDOW / 2) {
			answer();
		}
	}

	/** Answers now. Once. */
	void answer() {
		if (!this.discards) {
			this.discards = true;
			this.output.queue.enqueue(this);
		}
	}

	@Override
	public boolean isAnswered() {
		return true;
	}

	@Override
	public void reject(RpcStatus why, String message) {
		answer();
	}

	@Override
	public void onReset() {
		this.discards = true;
		this.release.accept(this);
		this.output.blocked.unblock(this);
	}

	@Override
	public void onConnectionClosed() {
		// nothing to end
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (!writable && !this.reset) {
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		WriteDecision decision = this.reset ? WriteDecision.SKIP : admitBody();
		if (decision == WriteDecision.WRITE || this.reset) {
			this.release.accept(this);
		}
		return decision;
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		this.headers.head(out, this.streamId, this.status, TYPE, this.length, this.fields);
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		if (this.length > 0) {
			writeData(out, bytes, true);
		}
		else {
			begin(out);
		}
		if (!this.remoteClosed) { // so that it does not send the rest
			this.output.writer.rstStream(out, this.streamId, Http2Error.NO_ERROR);
		}
	}

	@Override
	public boolean isExpired() {
		return this.reset;
	}

	@Override
	public void onRejected() {
		// nothing to end
	}

	@Override
	public String toString() {
		return "response of HTTP";
	}

}
