package io.rpcboot.internal.server.connection.http2;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.InboundMessage;
import io.rpcboot.internal.transport.http2.inbound.InboundStream;

/**
 * Request that is not of gRPC: its response has a status of HTTP and a text. It is sent
 * when the request has ended: an earlier answer would hide its errors.
 */
final class PlainAnswer extends InboundStream {

	private final Owner owner;

	private final ResponseHeaders headers;

	/** Removes this stream from those of its connection. */
	private final Consumer<InboundStream> release;

	private final int status;

	/**
	 * Creates the stream.
	 * @param headers writes HEADERS
	 * @param release removes this stream from its connection
	 * @param status status of HTTP
	 * @param text reason for the client
	 */
	PlainAnswer(Owner owner, Http2Output output, ResponseHeaders headers, Consumer<InboundStream> release, int streamId,
			RequestHeaders request, int status, String text) {
		super(owner, output, streamId, request.allowedNanos());
		announced(request.isEncoded(), request.contentLength());
		this.owner = owner;
		this.headers = headers;
		this.release = release;
		this.status = status;
		this.discards = true;
		this.answersAtEnd = true;
		withoutPrefix();
		byte[] message = (text + "\n").getBytes(StandardCharsets.UTF_8);
		body(message, message.length);
		splits();
	}

	@Override
	protected Owner owner() {
		return this.owner;
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		// messages are discarded
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		// messages are discarded
	}

	@Override
	protected void onHalfClose() {
		this.output.queue.enqueue(this);
	}

	@Override
	public void reject(RpcStatus why, String message) {
		if (this.answersAtEnd) {
			this.answersAtEnd = false;
			this.output.queue.enqueue(this);
		}
	}

	@Override
	public void onReset() {
		this.answersAtEnd = false;
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
		WriteDecision decision = this.reset ? WriteDecision.SKIP : admitMessage();
		if (decision == WriteDecision.WRITE || this.reset) {
			this.release.accept(this);
		}
		return decision;
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		this.headers.plain(out, this.streamId, this.status);
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		writeData(out, bytes, true);
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
