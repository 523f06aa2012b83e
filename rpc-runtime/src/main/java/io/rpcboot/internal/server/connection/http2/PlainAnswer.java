package io.rpcboot.internal.server.connection.http2;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.transport.http2.message.InboundMessage;

/**
 * Request that is no call: its response has a status and a text. It is sent when the
 * request has ended: an earlier answer would hide its errors.
 */
final class PlainAnswer extends HttpAnswer {

	private static final String TYPE = "text/plain; charset=utf-8";

	/**
	 * Creates the stream.
	 * @param status status of HTTP
	 * @param fields header fields of the response
	 * @param text reason for the client, empty for none; not sent to one that asks for
	 * HEAD
	 */
	PlainAnswer(Http2ServerConnection connection, int streamId, RequestHeaders request, int status,
			List<Map.Entry<String, String>> fields, String text) {
		super(connection, streamId, request);
		response(status, TYPE, fields, (text.isEmpty() || request.verb().equals("HEAD")) ? NOTHING
				: (text + "\n").getBytes(StandardCharsets.UTF_8));
	}

	/** Answers before the window of a long body is used up. */
	@Override
	protected void onBody(byte[] in, int from, int to) {
		if (this.remoteClosed || receiveWindow() < Http2Limits.STREAM_WINDOW / 2) {
			answer();
		}
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		// the body is not read
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		// the body is not read
	}

	@Override
	protected void onHalfClose() {
		answer();
	}

	@Override
	public boolean isAnswered() {
		return true;
	}

	@Override
	public void reject(RpcStatus why, String message) {
		answer();
	}

}
