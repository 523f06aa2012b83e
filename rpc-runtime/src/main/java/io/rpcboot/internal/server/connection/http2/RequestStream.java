package io.rpcboot.internal.server.connection.http2;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.protocol.grpc.ContractField;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.call.ErrorResponse;
import io.rpcboot.internal.server.call.RequestAttachments;
import io.rpcboot.internal.server.call.ResponseEnd;
import io.rpcboot.internal.server.call.ResponseSink;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.grpc.HostedCall;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.InboundMessage;
import io.rpcboot.internal.transport.http2.message.MessageStream;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Stream with one request: a call of a service, or a request of gRPC that is answered
 * without one. Subclasses send the response, and are the frame of it.
 */
abstract class RequestStream extends MessageStream implements ResponseSink, RequestAttachments {

	/** Shortest message, in bytes, that is compressed. */
	protected static final int COMPRESSED = 1024;

	private static final String OTHER_CONTRACT = "the client has another contract of the service, which it has not compared";

	protected final Http2ServerConnection connection;

	/** Method of the call, null for a request that is answered without one. */
	private final @Nullable Invocation method;

	/** Fields that are attachments, until they are read or the call is rejected. */
	private List<HeaderField> metadata = List.of();

	/** Proof of the caller that was decided about with the header. */
	private CallerProof caller;

	/** Call of a method that no interface declares, null for others. */
	protected @Nullable HostedCall hosted;

	/** Null until the request is complete. */
	@Nullable ServerCall call;

	/** Request that is complete and waits for its end or its caller; null without one. */
	private @Nullable Request request;

	/** True while it is not known whether the caller may make the call. */
	boolean isUndecided;

	/** Answer to a caller who may make the call; null if it can begin. */
	private @Nullable ResponseTrailers rejection;

	/** End of the response, null for a plain success. */
	protected @Nullable ResponseTrailers trailers;

	/** True if the response makes up for a reset; a refusal of what is asked does not. */
	protected boolean forgives;

	/** True once an answer instead of a call is in the write queue. */
	private boolean isRejected;

	/** True if the call ends without a response; the write queue skips the frame. */
	private boolean isSilent;

	RequestStream(Http2ServerConnection connection, int streamId, RequestHeaders headers, @Nullable Invocation method) {
		super(connection, connection.output, streamId, headers.allowedNanos());
		announced(headers.isEncoded(), headers.contentLength());
		this.connection = connection;
		this.method = method;
		this.caller = connection.responder.caller();
	}

	/**
	 * Keeps the header fields of a call if there is memory for them.
	 * @return false if the stream was rejected
	 */
	boolean keeps(RequestHeaders headers) {
		if (!reserves(headers.keptBytes())) {
			return false;
		}
		if (this.method != null) {
			this.metadata = headers.metadata();
			this.hosted = headers.hosted(this.method);
		}
		return true;
	}

	/**
	 * Counts the call as an open stream until it has ended.
	 * @return false if there are too many
	 */
	boolean countsIn() {
		return true; // calls with one response are counted as calls alone
	}

	/** The connection drains: no other stream begins on it. */
	void onDrain() {
		// a call with one response is over soon
	}

	private record Request(boolean isCompressed, byte[] bytes, int length) {
	}

	@Override
	protected Owner owner() {
		return this.connection;
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		if (!admitsMessage()) {
			return;
		}
		if (isLast && !this.isUndecided && !beginsLater()) {
			start(compressed, in, offset, count, false);
			return;
		}
		this.request = new Request(compressed, OutboundFrame.copy(in, offset, offset + count), count);
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		if (admitsMessage()) {
			this.request = new Request(complete.isCompressed(), complete.array(), complete.filled());
		}
	}

	private boolean admitsMessage() {
		if (this.request != null) {
			reject(RpcStatus.UNIMPLEMENTED, "the request has a second message, but the method takes one");
		}
		return this.request == null;
	}

	@Override
	protected void onHalfClose() {
		if (this.call != null || this.isUndecided) {
			return; // it was started with its last DATA, or waits
		}
		if (beginsLater()) {
			this.connection.beginsSoon(this);
		}
		else {
			begin();
		}
	}

	/** Returns true if the call begins at the end of the read. */
	boolean beginsLater() {
		return false;
	}

	/** Begins the call, unless it has ended meanwhile. */
	void begin() {
		if (this.reset || this.discards) {
			return;
		}
		Request complete = this.request;
		this.request = null; // the call owns it
		if (complete == null) {
			beginWithoutMessage();
			return;
		}
		start(complete.isCompressed, complete.bytes, 0, complete.length, true);
	}

	/** Begins a call whose request has ended without a message. */
	void beginWithoutMessage() {
		reject(RpcStatus.UNIMPLEMENTED, "the request has no message, but the method takes one");
	}

	/** Returns true if the client keeps a request back for which there is memory. */
	boolean isOpenRequest() {
		return !this.remoteClosed && !this.discards && holdsMemory();
	}

	@Override
	public boolean isAnswered() {
		return this.discards && !this.isUndecided;
	}

	/** Begins the call, or ends it: its caller is known. */
	void decided(CallerIdentity identity, @Nullable AccessDenial refused) {
		this.isUndecided = false;
		if (this.reset) {
			return;
		}
		this.caller = this.caller.with(identity);
		if (refused != null) {
			this.forgives = false;
			end(ResponseTrailers.refused(refused));
		}
		else if (this.rejection != null) {
			reject(this.rejection);
		}
		else {
			mayBegin();
			this.connection.beginStreamed();
		}
	}

	/** Begins the call of a known caller if what it needs has arrived. */
	void mayBegin() {
		if (this.remoteClosed) {
			onHalfClose();
		}
	}

	/** Returns the method with the codec for the format of the request. */
	protected Invocation called(Invocation target, boolean compressed) {
		return compressed ? this.connection.frames.requests.compressed(target) : target;
	}

	/** Starts the call. Its caller is known. */
	protected final void start(boolean compressed, byte[] bytes, int offset, int count, boolean own) {
		Invocation target = Objects.requireNonNull(this.method);
		long left = leftNanos(this.connection.readNanos());
		if (left < 0) {
			reject(RpcStatus.DEADLINE_EXCEEDED, "its time was over before its request had arrived");
			return;
		}
		Invocation called = called(target, compressed);
		ServerCall started = new ServerCall(this.connection.responder, this,
				(this.hosted != null) ? called.on(this.hosted) : called, false, count, this.connection.readNanos(),
				left);
		this.call = started;
		started.caller = this.caller;
		started.unread = this.metadata.isEmpty() ? null : this;
		this.connection.start(this, started, bytes, offset, count, own);
	}

	/** Sends an error instead of a call that the server would serve at another time. */
	@Override
	public void refuse(RpcStatus status, String why) {
		this.forgives = true;
		reject(status, why);
	}

	/** Rejects the call, which was not counted: too many are in flight. */
	void refuseFull(String why) {
		this.call = null;
		refuse(RpcStatus.RESOURCE_EXHAUSTED, why);
	}

	/** Sends an error instead of a call. */
	@Override
	public void reject(RpcStatus status, String why) {
		reject(ResponseTrailers.notExecuted(status, why));
	}

	/**
	 * Rejects the call of a client with another contract, which may fit or not.
	 * @param hash hash of the contract of the server
	 */
	void rejectContract(String hash) {
		if (this.rejection == null) {
			this.forgives = true;
			reject(ResponseTrailers.notExecuted(RpcStatus.FAILED_PRECONDITION, OTHER_CONTRACT)
				.with(List.of(Map.entry(ContractField.NAME, hash))));
		}
	}

	private void reject(ResponseTrailers why) {
		this.discards = true;
		if (this.isUndecided) {
			this.rejection = why;
			return;
		}
		if (why.fields().isEmpty()) {
			this.connection.logRejected(why.status(), why.message());
		}
		end(why);
	}

	/**
	 * Answers instead of a call. Once, because the links of the frame allow one queue.
	 */
	void end(ResponseTrailers why) {
		this.discards = true;
		if (this.isRejected) {
			return;
		}
		this.isRejected = true;
		this.metadata = List.of();
		this.trailers = why;
		this.output.queue.enqueue(this);
	}

	@Override
	public void onReset() {
		ServerCall running = this.call;
		if (running == null) {
			this.isSilent = true;
			this.connection.release(this);
			this.discards = true;
		}
		else if (!running.cancelled) {
			running.cancel();
		}
		this.output.blocked.unblock(this);
	}

	@Override
	public void onConnectionClosed() {
		this.reset = true; // a check of its caller that goes on begins no call
		if (this.call != null) {
			this.call.abandon((size) -> false);
		}
	}

	@Override
	public Content read(byte[] request, int start, int end) {
		try {
			return new Content(RequestHeaders.attachments(this.metadata), start);
		}
		catch (GrpcException ex) {
			throw new RpcException(ex.status(), String.valueOf(ex.getMessage()), false);
		}
	}

	protected final ServerCall requireCall() {
		if (this.call == null) {
			throw new IllegalStateException("no call");
		}
		return this.call;
	}

	@Override
	public void attach(Attachments attachments, int max, OutputBuffer out) {
		try {
			int most = Math.min(this.connection.settings.maxAttachments(), max);
			this.trailers = ResponseTrailers.ok(GrpcMetadata.encode(attachments, most));
		}
		catch (IllegalArgumentException ex) {
			throw new SerializationException("attachments of the response: " + ex.getMessage());
		}
	}

	/** Sends a declared exception, a {@code google.protobuf.Any}, in trailers. */
	protected final void sendDeclared(RpcStatus outcome, OutputBuffer out) {
		ServerCall failed = requireCall();
		fail(failed, ResponseTrailers.declared(outcome, String.valueOf(failed.message()), out, this.trailers));
	}

	@Override
	public void end(ErrorResponse error, @Nullable Attachments attachments) {
		ServerCall failed = requireCall();
		Map<String, String> fields = Map.of();
		try {
			if (attachments != null) {
				fields = GrpcMetadata.encode(attachments, this.connection.settings.maxAttachments());
			}
		}
		catch (IllegalArgumentException ex) { // the required ones do not fit
			this.connection.responder.log(failed, ex);
		}
		fail(failed, ResponseTrailers.of(error, fields));
	}

	/** Ends a call that has failed. */
	protected abstract void fail(ServerCall failed, ResponseTrailers end);

	@Override
	public void drop() {
		this.isSilent = true;
		holds(NOTHING, 0, null);
		finish(requireCall());
	}

	/** Ends a call, the end of whose response is known. */
	protected final void finish(ServerCall ended) {
		try {
			ended.responding();
		}
		finally { // whatever a listener of the context throws
			sendEnd();
		}
	}

	/**
	 * Sends the end of the response, behind what waits. Once, because the links of the
	 * frame allow one queue; any thread.
	 */
	protected void sendEnd() {
		if (!this.output.queue.enqueue(this)) {
			onRejected();
		}
	}

	/** Sends a response of one message, at once if nothing waits before it. */
	protected final void send(ServerCall sending, OutputBuffer out) {
		this.length = out.length();
		if (this.output.queue.writeNow(this, out.array())) {
			sending.responding();
			return;
		}
		sending.keep(out, this);
		splits();
		finish(sending);
	}

	/**
	 * Compresses a message in its place if it becomes shorter.
	 * @return true if it is compressed now
	 */
	protected static boolean shortens(OutputBuffer out) {
		if (out.length() < COMPRESSED || out.hasOverflowed()) {
			return false;
		}
		int length = out.length();
		out.position(Gzip.shorten(out.array(), length));
		return out.length() < length;
	}

	/** Returns true if the client waits for a response. Event loop only. */
	protected final boolean isWanted() {
		return !this.isSilent && !isExpired();
	}

	/**
	 * Ends the stream, whose last frame is written or skipped next.
	 * @return whether it is written
	 */
	protected final WriteDecision ends(boolean wanted) {
		this.connection.release(this);
		if (wanted) {
			if (this.forgives) {
				this.connection.frames.resets.onResponse();
			}
			return WriteDecision.WRITE;
		}
		if (!this.reset) {
			this.output.reset(this.streamId, Http2Error.CANCEL);
		}
		if (this.call != null) {
			this.call.responseEnded(ResponseEnd.DROPPED);
		}
		return WriteDecision.SKIP;
	}

	protected final WriteDecision block(WriteDecision how) {
		if (this.call != null) {
			this.call.responseBlocked();
		}
		return how;
	}

	/** Writes what ends a stream whose client has not sent everything. */
	protected final void writeEnd(ByteBuf out) {
		if (!this.remoteClosed) { // so that it does not send the rest
			this.output.writer.rstStream(out, this.streamId, Http2Error.NO_ERROR);
		}
	}

	@Override
	public boolean isExpired() {
		return (this.call != null) ? this.call.isUnwanted() : this.reset;
	}

	@Override
	public boolean wantsWriteResult() {
		return this.call != null;
	}

	@Override
	public void onWriteComplete(boolean written) {
		requireCall().responseEnded(written ? ResponseEnd.WRITTEN : ResponseEnd.FAILED);
	}

	@Override
	public void onRejected() {
		if (this.call != null) {
			this.call.responseEnded(ResponseEnd.REJECTED);
		}
	}

	/** Ends the call, which no thread will run. */
	void onNotDispatched() {
		onRejected();
	}

	@Override
	public String toString() {
		return (this.method != null) ? "response to " + this.method.descriptor() : "response without a call";
	}

}
