package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.connect.ConnectError;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.connect.GetQuery;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.server.call.ErrorResponse.Run;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.InboundMessage;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stream with one request of Connect and its response: both are bodies without a prefix,
 * in JSON or protobuf. An error is a status of HTTP with a body in JSON. It is the frame
 * of its response.
 */
final class ConnectStream extends RequestStream {

	private static final int NOT_FOUND = 404;

	private static final int METHOD_NOT_ALLOWED = 405;

	/** Prefix of the names of fields that follow the response in gRPC. */
	private static final String TRAILER = "trailer-";

	private final ContentType type;

	/** Query of a request by GET, null for POST. */
	private final @Nullable GetQuery query;

	/** True if GET is not for the method. */
	private boolean isUnsafe;

	private final @Nullable String encoding;

	private final @Nullable String version;

	private final long announcedLength;

	/** True if the path is that of no method. */
	private final boolean isUnknown;

	/** True if the response may be compressed. */
	private final boolean compresses;

	private int status = 200;

	/** Fields for the browser. */
	private final List<Map.Entry<String, String>> cors;

	private List<Map.Entry<String, String>> fields = List.of();

	/** True once the body of the response is known. */
	private boolean hasBody;

	/** Answers at the deadline: the client may have no clock. Null without a deadline. */
	private @Nullable Future<?> deadline;

	ConnectStream(Http2ServerConnection connection, int streamId, RequestHeaders headers, @Nullable Invocation method) {
		super(connection, streamId, headers, method);
		this.type = headers.contentType();
		this.query = headers.query();
		this.encoding = headers.contentEncoding();
		this.version = headers.connectVersion();
		this.announcedLength = headers.contentLength();
		this.isUnknown = method == null;
		this.compresses = headers.acceptsGzipContent() && connection.compresses();
		List<Map.Entry<String, String>> forBrowser = connection.server().cors.answer(headers.asked());
		this.cors = (this.query != null && connection.compresses()) ? withVary(forBrowser) : forBrowser;
		withoutMessage();
	}

	/** Tells caches that responses to GET differ. */
	private static List<Map.Entry<String, String>> withVary(List<Map.Entry<String, String>> fields) {
		List<Map.Entry<String, String>> all = new ArrayList<>(fields);
		all.add(Map.entry("vary", "accept-encoding"));
		return all;
	}

	@Override
	boolean keeps(RequestHeaders headers) {
		if (!super.keeps(headers)) {
			return false;
		}
		if (this.query != null && !reserves(this.query.message().length)) {
			return false;
		}
		withoutPrefix(Gzip.NAME.equals(this.encoding),
				(this.announcedLength == Long.MAX_VALUE) ? 0 : this.announcedLength);
		if (this.allowedNanos != Long.MAX_VALUE && !this.discards) {
			this.deadline = this.connection.schedule(this::onDeadline, this.allowedNanos);
		}
		return !this.discards;
	}

	/** Rejects a request whose fields are not valid. */
	void requireReadable() {
		if (this.query != null && this.query.problem() != null) {
			reject(RpcStatus.INVALID_ARGUMENT, this.query.problem());
		}
		else if (this.announcedLength == Long.MAX_VALUE) {
			reject(RpcStatus.INVALID_ARGUMENT, "content-length (expected: a number)");
		}
		else if (this.encoding != null && !this.encoding.equals(Gzip.NAME) && !this.encoding.equals("identity")) {
			reject(RpcStatus.UNIMPLEMENTED,
					"content-encoding: '%s' (expected: gzip or identity)".formatted(this.encoding));
		}
		else if (this.version != null && !this.version.equals("1")) {
			reject(RpcStatus.INVALID_ARGUMENT, "connect-protocol-version: '%s' (expected: 1)".formatted(this.version));
		}
	}

	/** Rejects GET for a method that may have side effects. */
	void rejectUnsafe() {
		this.isUnsafe = true;
		reject(RpcStatus.UNIMPLEMENTED,
				"GET is for methods without side effects (expected: POST, or @RpcMethod(safe = true))");
	}

	/** Answers instead of a call that goes on, whose own answer is skipped. */
	private void onDeadline() {
		ServerCall late = this.call;
		if (late == null || this.reset || late.responseStarted || hasBegun()) {
			return;
		}
		this.reset = true;
		this.connection.onStreamReset();
		late.cancel();
		this.output.queue.enqueue(new LateAnswer());
	}

	@Override
	public void onRemoved() {
		if (this.deadline != null) {
			this.deadline.cancel(false);
		}
		super.onRemoved();
	}

	@Override
	protected Invocation called(Invocation target, boolean compressed) {
		return this.connection.frames.requests.of(target, this.type, compressed);
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		if (this.query != null) {
			reject(RpcStatus.INVALID_ARGUMENT, "GET with a body (expected: the message in the query alone)");
			return;
		}
		boolean marked = complete.isCompressed();
		if (marked && !Gzip.isCompressed(complete.array(), 0, complete.filled())) {
			reject(RpcStatus.INVALID_ARGUMENT, "the body is not compressed with gzip, as content-encoding says");
			return;
		}
		super.onMessage(complete);
	}

	/** Begins with the message of the query. None is an empty message of protobuf. */
	@Override
	void beginWithoutMessage() {
		byte[] message = (this.query != null) ? this.query.message() : NOTHING;
		boolean isCompressed = this.query != null && this.query.isCompressed();
		if (isCompressed && !Gzip.isCompressed(message, 0, message.length)) {
			reject(RpcStatus.INVALID_ARGUMENT, "the message is not compressed with gzip, as compression=gzip says");
		}
		else if (message.length == 0 && this.type == ContentType.JSON) {
			reject(RpcStatus.INVALID_ARGUMENT,
					(this.query != null)
							? "no message in the query (expected: a JSON object; message=%7B%7D has no parameters)"
							: "no body (expected: a JSON object; {} has no parameters)");
		}
		else {
			start(isCompressed, message, 0, message.length, true);
		}
	}

	/** Reads the attachments. Binary ones that are malformed are a bad request. */
	@Override
	public Content read(byte[] request, int start, int end) {
		try {
			return super.read(request, start, end);
		}
		catch (RpcException ex) {
			throw new RpcException(RpcStatus.INVALID_ARGUMENT, String.valueOf(ex.getMessage()), false);
		}
	}

	@Override
	public void reply(RpcStatus outcome, OutputBuffer out) {
		if (outcome != RpcStatus.OK) {
			sendDeclared(outcome, out);
			return;
		}
		ServerCall sending = requireCall();
		if (this.hosted != null && this.hosted.encoding() != null) {
			fail(sending, ResponseTrailers.COMPRESSED_BY_SERVICE);
			return;
		}
		this.forgives = true;
		List<Map.Entry<String, String>> head = new ArrayList<>(this.cors);
		if (this.compresses && shortens(out)) {
			head.add(Map.entry("content-encoding", Gzip.NAME));
		}
		if (this.hosted != null) {
			head.addAll(this.hosted.ownHeaders());
			trailers(head, this.hosted.trailers());
		}
		if (this.trailers != null) {
			trailers(head, this.trailers.fields());
		}
		this.fields = head;
		this.hasBody = true;
		send(sending, out);
	}

	private static void trailers(List<Map.Entry<String, String>> head, Iterable<Map.Entry<String, String>> trailers) {
		trailers.forEach((each) -> head.add(Map.entry(TRAILER + each.getKey(), each.getValue())));
	}

	@Override
	protected void fail(ServerCall failed, ResponseTrailers end) {
		this.forgives = end.isHonest();
		resetLarge();
		holds(NOTHING, 0, null);
		this.hasBody = false;
		this.trailers = (this.hosted != null) ? end.with(this.hosted.trailers()) : end;
		finish(failed);
	}

	/** Makes the body of a response without a result. */
	private void failure(ResponseTrailers end) {
		List<Map.Entry<String, String>> head = new ArrayList<>(this.cors);
		if (this.hosted != null) {
			head.addAll(this.hosted.ownHeaders());
		}
		trailers(head, end.ownFields());
		if (end.run() != Run.MAYBE) {
			head.add(Map.entry("rpc-executed", String.valueOf(end.run() == Run.YES)));
		}
		this.fields = head;
		this.status = httpStatus(end);
		if (this.status == METHOD_NOT_ALLOWED) {
			head.add(Map.entry("allow", "POST"));
		}
		if (this.query != null) {
			head.add(Map.entry("cache-control", "no-store"));
		}
		byte[] json = end.toConnectError().toJson();
		holds(json, json.length, null);
		splits();
		this.hasBody = true;
	}

	private int httpStatus(ResponseTrailers end) {
		boolean isNone = end.status() == RpcStatus.UNIMPLEMENTED && end.run() == Run.NO;
		if (isNone && this.isUnknown) {
			return NOT_FOUND;
		}
		if (isNone && this.isUnsafe) {
			return METHOD_NOT_ALLOWED;
		}
		return ConnectError.httpStatus(end.status());
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = isWanted();
		if (wanted && !writable) {
			return block(WriteDecision.BLOCKED_BY_SOCKET);
		}
		if (wanted) {
			if (!this.hasBody && this.trailers != null) {
				failure(this.trailers);
			}
			WriteDecision decision = admitBody();
			if (decision != WriteDecision.WRITE) {
				return block(decision);
			}
		}
		return ends(wanted);
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		boolean succeeded = this.status == 200;
		this.connection.headers.head(out, this.streamId, this.status, (succeeded ? this.type : ContentType.JSON).text(),
				this.length, this.fields);
	}

	/** Answer to a call whose time is over while it runs. */
	private final class LateAnswer extends OutboundFrame {

		LateAnswer() {
			super(new ConnectError(RpcStatus.DEADLINE_EXCEEDED, "its time was over while the server ran it", List.of())
				.toJson());
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			if (!writable) {
				return WriteDecision.BLOCKED_BY_SOCKET;
			}
			if (takesWindow(this.length)) {
				return WriteDecision.WRITE;
			}
			ConnectStream.this.output.reset(ConnectStream.this.streamId, Http2Error.CANCEL);
			return WriteDecision.SKIP;
		}

		@Override
		public void writeHeader(ByteBuf out) {
			int id = ConnectStream.this.streamId;
			ConnectStream.this.connection.headers.head(out, id, ConnectError.httpStatus(RpcStatus.DEADLINE_EXCEEDED),
					ContentType.JSON.text(), this.length, ConnectStream.this.cors);
			ConnectStream.this.output.writer.dataHeader(out, id, this.length, true);
		}

		@Override
		public void onRejected() {
			// the connection has ended
		}

	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		if (this.length == 0) {
			begin(out);
		}
		else {
			writeData(out, bytes, true);
		}
		writeEnd(out);
	}

}
