package io.rpcboot.internal.client.connection.http2;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.call.Execution;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.GrpcMessage;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.grpc.GrpcStatus;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.grpc.StatusDetails;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.InboundMessage;
import io.rpcboot.internal.transport.http2.message.MessageStream;
import io.rpcboot.resilience.RetryAdvice;
import org.jspecify.annotations.Nullable;

/**
 * Stream of a call: the frame of its request, and the state of its response. Event loop
 * only.
 */
class Http2ClientStream extends MessageStream implements ReplyBuffer.Holder {

	private static final String UNKNOWN_METHOD = "%s (called: %s; other names by @RpcContract and @RpcMethod)";

	/** Attachment with the details of a failure, Base64 of {@code google.rpc.Status}. */
	private static final String DETAILS = "grpc-status-details-bin";

	/** Types of details that are no declared exceptions. */
	private static final String DETAILS_OF_GOOGLE = "google.rpc.";

	private static final String NO_GRPC = "the server does not answer with gRPC: HTTP status %d";

	protected final Http2ClientConnection connection;

	final ClientCall call;

	/** Interim responses that a server may send to a call. */
	private static final int MAX_INTERIM = 16;

	/** True once the response has begun. */
	private boolean answered;

	private int interim;

	/** Reply, null until it has arrived. */
	private byte @Nullable [] reply;

	private int replyLength;

	/** Attachments of the response, null without any. */
	private @Nullable GrpcMetadata metadata;

	Http2ClientStream(Http2ClientConnection connection, ClientCall call) {
		super(connection, connection.output, Long.MAX_VALUE);
		this.connection = connection;
		this.call = call;
	}

	@Override
	protected void open(int id) {
		super.open(id);
		holds(this.call.body, this.call.length(), this.call.large);
		splits();
	}

	@Override
	protected Owner owner() {
		return this.connection;
	}

	@Override
	public boolean isUrgent() {
		return false;
	}

	@Override
	public long startedNanos() {
		return this.call.startNanos;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (this.streamId == 0) {
			WriteDecision decision = this.connection.admit(this, writable);
			if (decision != WriteDecision.WRITE) {
				return decision;
			}
		}
		if (isExpired()) {
			releaseBody();
			cancel();
			return WriteDecision.SKIP;
		}
		return writable ? admitBody() : WriteDecision.BLOCKED_BY_SOCKET;
	}

	/** Returns true once the call has ended, or the server has answered. */
	@Override
	public boolean isExpired() {
		return this.reset || this.remoteClosed || this.call.isAbandoned();
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		this.connection.requests.write(out, this.streamId, this.call);
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		writeData(out, bytes, true);
		releaseBody();
	}

	protected final void releaseBody() {
		ChunkedBody owned = takeChunks();
		if (owned != null) {
			owned.release();
		}
	}

	@Override
	public boolean wantsWriteResult() {
		return this.call.isOneWay();
	}

	@Override
	public void onWriteComplete(boolean written) {
		if (written && !this.reset && !this.remoteClosed) { // else the connection ends
															// the call
			this.call.written(true, true);
		}
	}

	@Override
	public void onRejected() {
		if (this.streamId == 0) {
			this.call.lostConnection();
		}
		releaseBody();
	}

	/** Returns true if only trailers may follow. */
	boolean takesTrailers() {
		return this.answered;
	}

	/** Receives HEADERS of the response, or its trailers. */
	void onHeaders(ResponseFields fields, boolean endStream) {
		if (!endStream && (this.answered || fields.isInterim())) {
			onInterim(this.answered);
			return;
		}
		if (fields.metadata != null) {
			if (!reserves(fields.metadataBytes)) {
				return;
			}
			received(fields.metadata);
		}
		if (endStream) {
			this.remoteClosed = true;
			if (!this.answered && !fields.isOfGrpc() && fields.status == null) {
				fail(GrpcStatus.ofHttp(fields.httpStatus), Execution.POSSIBLE, NO_GRPC.formatted(fields.httpStatus));
			}
			else {
				end(fields.status, fields);
			}
			return;
		}
		if (!fields.isOfGrpc()) {
			reject(GrpcStatus.ofHttp(fields.httpStatus), NO_GRPC.formatted(fields.httpStatus));
			return;
		}
		this.answered = true;
		announced(fields.isEncoded, fields.contentLength);
		onAnswer();
	}

	/**
	 * Receives HEADERS that are neither a response nor its end.
	 * @param hasResponse true if the response has begun
	 */
	final void onInterim(boolean hasResponse) {
		if (hasResponse) {
			throw Http2Exception.stream(this.streamId, Http2Error.PROTOCOL_ERROR,
					"trailers without END_STREAM (expected: with it)");
		}
		if (++this.interim > MAX_INTERIM) {
			throw Http2Exception.stream(this.streamId, Http2Error.ENHANCE_YOUR_CALM,
					"interim responses to one request (expected: at most %d)".formatted(MAX_INTERIM));
		}
	}

	/** Takes note of HEADERS of the response. */
	protected void onAnswer() {
	}

	/** Takes the attachments of HEADERS, to which a proxy may add, and of trailers. */
	private void received(GrpcMetadata block) {
		if (this.metadata == null) {
			this.metadata = block;
		}
		else {
			this.metadata.addAll(block);
		}
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		if (acceptsReply(compressed, in, offset, count)) {
			this.reply = this.connection.replies.copy(this, in, offset, count);
			this.replyLength = count;
		}
	}

	@Override
	public final void leaveBuffer() {
		if (this.reply != null) {
			this.reply = Arrays.copyOf(this.reply, this.replyLength);
		}
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		if (acceptsReply(complete.isCompressed(), complete.array(), 0, complete.filled())) {
			this.reply = complete.array();
			this.replyLength = complete.filled();
		}
	}

	/** Returns true once the reply has begun: the call is not pending any more. */
	boolean isStreaming() {
		return false;
	}

	/** Returns true if a reply may be read; else the stream is rejected. */
	protected final boolean acceptsReply(boolean compressed, byte[] in, int offset, int count) {
		if (this.reply != null) {
			rejectSecond();
		}
		else if (compressed && count > 0 && !Gzip.isCompressed(in, offset, count)) {
			reject(RpcStatus.INTERNAL, "the reply is not compressed with gzip, as its flag says");
		}
		return !this.reset;
	}

	/** Rejects a second message for a method that returns one. */
	protected final void rejectSecond() {
		reject(RpcStatus.UNIMPLEMENTED, "the response has a second message, but the method returns one");
	}

	/** Ends without trailers. */
	@Override
	protected void onHalfClose() {
		fail(RpcStatus.INTERNAL, Execution.POSSIBLE, "the response has no grpc-status");
	}

	private void end(@Nullable RpcStatus status, ResponseFields fields) {
		if (message() != null && status == RpcStatus.OK) {
			fail(RpcStatus.INTERNAL, Execution.POSSIBLE, "the response ends within a message");
			return;
		}
		byte[] bytes = reply();
		if (status == RpcStatus.OK && bytes != null) {
			complete(RpcStatus.OK, bytes, this.replyLength);
		}
		else if (status == null || status == RpcStatus.OK) {
			fail((status == null) ? RpcStatus.INTERNAL : RpcStatus.UNIMPLEMENTED, Execution.POSSIBLE,
					(status == null) ? "the response has no grpc-status" : "the response has no message");
		}
		else {
			fail(status, fields);
		}
	}

	/** Returns the array that begins with the reply, null without one. */
	protected byte @Nullable [] reply() {
		return this.reply;
	}

	private void fail(RpcStatus status, ResponseFields fields) {
		if (fields.contract != null && fields.execution == Execution.NONE) {
			this.connection.contractRefused(this, fields.contract);
			return;
		}
		byte[] declared = (fields.details != null) ? declared(fields.details) : null;
		if (declared != null) {
			complete(RpcStatus.DECLARED, declared, declared.length);
			return;
		}
		Attachments attachments = attachments();
		if (fields.details != null) {
			attachments = attachments.copy().put(DETAILS, fields.details);
		}
		boolean isFinal = "-1".equals(attachments.get(RetryAdvice.ATTACHMENT));
		boolean isRefused = isFinal && fields.execution == Execution.NONE;
		RpcStatus known = GrpcStatus.known(status, fields.isOfApplication);
		String type = PrintableText.className(GrpcMessage.decode(fields.exception));
		String message = PrintableText.of(GrpcMessage.decode(fields.message));
		String text = (!type.isEmpty() && message.startsWith(type + ": ")) ? message.substring(type.length() + 2)
				: message;
		if (status == RpcStatus.UNIMPLEMENTED && fields.execution == Execution.POSSIBLE && !this.answered) {
			// a server of others that has no such method answers with trailers alone
			fail(status, Execution.NONE, UNKNOWN_METHOD.formatted(text, this.connection.requests.path(this.call)));
			return;
		}
		// a final failure says nothing about the server
		this.connection.end(this, (isFinal && fields.execution == Execution.CERTAIN) ? RpcStatus.DECLARED : known,
				new ErrorReply(known, isRefused ? Execution.REFUSED : fields.execution, type, text, attachments));
	}

	/** Returns the exception in the details if the method declares any, else null. */
	private byte @Nullable [] declared(String details) {
		try {
			for (byte[] each : StatusDetails.parse(details).details()) {
				if (!StatusDetails.typeOf(each).startsWith(DETAILS_OF_GOOGLE)
						&& this.call.method.descriptor.method().getExceptionTypes().length > 0) {
					return each;
				}
			}
		}
		catch (GrpcException ex) {
			// the status tells enough
		}
		return null;
	}

	private Attachments attachments() {
		return (this.metadata != null) ? this.metadata.attachments() : Attachments.none();
	}

	private void complete(RpcStatus outcome, byte[] bytes, int length) {
		Attachments received = attachments();
		this.connection.complete(this, outcome, received.isEmpty() ? null : new MetadataReader(received),
				kept(bytes, length), length);
	}

	/**
	 * Returns the array of the request with a short reply of a call that another thread
	 * completes, unless an attempt elsewhere may read the request.
	 */
	private byte[] kept(byte[] bytes, int length) {
		byte[] request = this.call.body;
		boolean isFree = this.call.isAsynchronous() && !this.call.isOneWay() && !this.call.method.usesBudget
				&& this.call.attempts == null && !this.call.reference.completesOnLoop();
		if (!isFree || length > request.length || !this.connection.replies.owns(bytes)) {
			return bytes;
		}
		System.arraycopy(bytes, 0, request, 0, length);
		return request;
	}

	protected final void fail(RpcStatus status, Execution execution, String message) {
		this.connection.end(this, status, new ErrorReply(status, execution, "", message, Attachments.none()));
	}

	/** Resets the stream, unless the server does not know it yet. */
	void cancel() {
		if (hasBegun() && !this.reset) {
			this.output.reset(this.streamId, Http2Error.CANCEL);
		}
	}

	/** Ends a stream whose call has gone elsewhere. */
	final void abandon() {
		this.discards = true;
		this.output.reset(this.streamId, Http2Error.CANCEL);
		this.connection.forget(this);
	}

	/** Ends the call, because its response violates HTTP/2. The stream is reset. */
	void violated(String why) {
		this.discards = true;
		this.reset = true;
		fail(RpcStatus.INTERNAL, Execution.POSSIBLE, why);
	}

	/** Ends the call, because its response is invalid. */
	@Override
	public void reject(RpcStatus status, String why) {
		this.discards = true;
		this.reset = true;
		this.output.reset(this.streamId, Http2Error.CANCEL);
		fail(status, Execution.POSSIBLE, why);
	}

	/** Ends the call, because the server or an error of it has reset the stream. */
	void onReset(Http2Error error) {
		this.reset = true;
		boolean isRefused = error == Http2Error.REFUSED_STREAM;
		fail(GrpcStatus.ofReset(error, this.call.remainingNanos()), isRefused ? Execution.NONE : Execution.POSSIBLE,
				"the server has reset the stream: " + error);
	}

	@Override
	public void onReset() {
		onReset(Http2Error.PROTOCOL_ERROR);
	}

	@Override
	public void onConnectionClosed() {
		releaseBody();
		ended();
		lost("the connection was lost");
	}

	/** Ends: the stream is removed. */
	void ended() {
	}

	/** The connection drains: no other stream begins on it. */
	void onDrain() {
	}

	/** Ends a call that is not pending any more: its server sends no more. */
	void lost(String why) {
	}

	@Override
	public String toString() {
		return "request of " + this.call.method.descriptor;
	}

}
