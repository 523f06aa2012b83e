package io.rpcboot.internal.server.connection.http2;

import java.util.List;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.MessageStream;

/**
 * Request that no service of the application answers: its response is a status of HTTP
 * and a body. It is the frame of its response. Event loop only.
 */
abstract class HttpAnswer extends MessageStream {

	protected final Http2ServerConnection connection;

	private int status;

	private String type = "";

	private List<Map.Entry<String, String>> fields = List.of();

	/** True once the response is in the write queue. */
	private boolean isSent;

	HttpAnswer(Http2ServerConnection connection, int streamId, RequestHeaders request) {
		super(connection, connection.output, streamId, request.allowedNanos());
		announced(request.contentLength());
		withoutMessage();
		this.connection = connection;
	}

	@Override
	protected final Owner owner() {
		return this.connection;
	}

	/** Sets the response. */
	protected final void response(int httpStatus, String contentType, List<Map.Entry<String, String>> more,
			byte[] bytes) {
		this.status = httpStatus;
		this.type = contentType;
		this.fields = more;
		body(bytes, bytes.length);
		splits();
	}

	/** Sends the response, if it is known. Once. */
	final void answer() {
		if (!this.isSent && this.status != 0) {
			this.isSent = true;
			this.discards = true;
			this.output.queue.enqueue(this);
		}
	}

	@Override
	public void answerEarly() {
		answer();
	}

	@Override
	public void onReset() {
		this.discards = true;
		this.connection.release(this);
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
			this.connection.release(this);
		}
		return decision;
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		this.connection.headers.head(out, this.streamId, this.status, this.type, this.length, this.fields);
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
