package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.connect.ConnectError;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.call.ErrorResponse.Run;
import io.rpcboot.internal.transport.http2.message.InboundMessage;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Call over Connect of a method that the server itself offers: a request and a response,
 * in JSON or protobuf. Event loop only, except the methods of
 * {@link StreamHandler.Responses}.
 */
final class BuiltInAnswer extends HttpAnswer implements StreamHandler.Responses {

	private static final int FIRST_SIZE = 256;

	private final ContentType type;

	/** Has one argument and a result: the messages in protobuf. */
	private final MethodCodec codec;

	private final StreamHandler.Requests requests;

	private final List<Map.Entry<String, String>> cors;

	/** Longest body in bytes. */
	private final int longest;

	private long received;

	private boolean hasRequest;

	/** Response in protobuf. */
	private byte[] result = NOTHING;

	private boolean isClosed;

	private boolean hasEnded;

	/**
	 * Begins a call.
	 * @param access null if everybody may call the method
	 */
	@SuppressWarnings("this-escape")
	BuiltInAnswer(Http2ServerConnection connection, int streamId, RequestHeaders headers, StreamHandler handler,
			MethodCodec codec, @Nullable RequestAccess access) {
		super(connection, streamId, headers);
		this.type = headers.contentType();
		this.codec = codec;
		this.longest = handler.longestRequest();
		this.cors = connection.server().cors.answer(headers.asked());
		this.requests = (access != null) ? access.begin(handler, headers, this) : handler.begin(this);
	}

	/** Reads the body. */
	void begin(RequestHeaders headers) {
		if (headers.contentEncoding() != null && !headers.contentEncoding().equals("identity")) {
			reject(RpcStatus.UNIMPLEMENTED, "content-encoding (expected: none, for this method)");
		}
		else {
			withoutPrefix(false, headers.contentLength());
		}
	}

	@Override
	protected void onBody(byte[] in, int from, int to) {
		this.received += to - from;
		if (this.received > this.longest && !this.discards) {
			reject(RpcStatus.INVALID_ARGUMENT,
					"a body of %d bytes or more (expected: at most %d)".formatted(this.received, this.longest));
		}
		super.onBody(in, from, to);
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		this.hasRequest = true;
		try {
			byte[] message = (byte[]) this.codec.deserializeArguments(in, offset, count)[0];
			this.requests.onMessage(message, 0, message.length);
		}
		catch (RpcException | SerializationException ex) {
			reject(RpcStatus.INVALID_ARGUMENT, String.valueOf(ex.getMessage()));
		}
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		onMessage(false, complete.array(), 0, complete.filled(), false);
	}

	@Override
	protected void onHalfClose() {
		if (!this.hasRequest && this.type == ContentType.JSON) {
			reject(RpcStatus.INVALID_ARGUMENT, "no body (expected: a JSON object; {} has no parameters)");
			return;
		}
		if (!this.hasRequest) {
			onMessage(false, NOTHING, 0, 0, true);
		}
		this.requests.onHalfClose();
	}

	@Override
	public void send(byte[] message) {
		this.connection.execute(() -> this.result = message);
	}

	@Override
	public void close(RpcStatus status, String message) {
		this.connection.execute(() -> respond(status, message, Run.YES));
	}

	@Override
	public void refuse(AccessDenial why) {
		this.connection.execute(() -> respond(why.status(), why.message(), Run.NO));
	}

	@Override
	public void reject(RpcStatus status, String why) {
		this.discards = true;
		if (!this.requests.keepsRejection(status, why)) {
			respond(status, why, Run.NO);
		}
	}

	private void respond(RpcStatus status, String message, Run run) {
		if (this.isClosed || this.reset) {
			return;
		}
		if (status == RpcStatus.OK) {
			byte[] body = body();
			if (body == null || !reserves(body.length)) {
				return; // it was refused
			}
			response(200, this.type.text(), this.cors, body);
		}
		else {
			List<Map.Entry<String, String>> fields = new ArrayList<>(this.cors);
			fields.add(Map.entry("rpc-executed", String.valueOf(run == Run.YES)));
			response(ConnectError.httpStatus(status), ContentType.JSON.text(), fields,
					new ConnectError(status, message, List.of()).toJson());
		}
		this.isClosed = true;
		answer();
	}

	/** Returns the response in its format, null if it is too long. */
	private byte @Nullable [] body() {
		OutputBuffer out = new OutputBuffer(new byte[FIRST_SIZE], this.connection.maxMessage());
		try {
			this.codec.serializeResult(this.result, out);
			return out.toByteArray();
		}
		catch (SerializationException ex) {
			refuse(RpcStatus.RESOURCE_EXHAUSTED, String.valueOf(ex.getMessage()));
			return null;
		}
	}

	@Override
	public void onConnectionClosed() {
		end();
	}

	@Override
	public void onRemoved() {
		super.onRemoved();
		end();
	}

	private void end() {
		if (!this.hasEnded) {
			this.hasEnded = true;
			this.requests.onEnd();
		}
	}

}
