package io.rpcboot.internal.client.connection.http2;

import java.util.List;
import java.util.concurrent.Future;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.call.Execution;
import io.rpcboot.internal.client.call.PassedCall;
import io.rpcboot.internal.protocol.grpc.GrpcStatus;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.Passage;
import io.rpcboot.internal.transport.http2.PassedPart;
import io.rpcboot.internal.transport.http2.PassedPart.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Stream of a call that a relay passes on: the frame of what is sent next of the request,
 * and the place where the response arrives. Event loop only, except {@link #giveBack}.
 */
public final class PassedExchange extends Http2ClientStream implements Passage.Origin {

	private static final int HTTP_OK = 200;

	private final Call passed;

	private final Passage request;

	/** Part of the request that this frame writes next; null for HEADERS alone. */
	private @Nullable PassedPart current;

	/** True while this frame is in the write queue. */
	private boolean isQueued = true;

	/** True once the end of the request is written. */
	private boolean isHalfClosed;

	/** True once the response has begun. */
	private boolean isStreaming;

	/** Status of HTTP, 0 before the response. */
	private int httpStatus;

	/** Bytes of the response that the client of the relay has not taken. */
	private int untaken;

	/** Ends the call at its deadline, once its response has begun; null without one. */
	private @Nullable Future<?> deadline;

	/** Call that is passed on. Any thread. */
	public interface Call {

		/** Returns the header fields of the request, without those of the connection. */
		PassedFields fields();

		/** Returns the body of the request. */
		Passage request();

		/**
		 * Takes a part of the response, if there is memory for it.
		 * @param from receives window and memory back
		 * @return false without memory: the call is to be ended
		 */
		boolean respond(PassedPart part, Passage.Origin from);

		/** Takes note of the status, before the response is complete. */
		void responds(RpcStatus status);

		/** The server has reset the stream. */
		void reset(int errorCode);

	}

	PassedExchange(Http2ClientConnection connection, PassedCall call) {
		super(connection, call);
		this.passed = (Call) call;
		this.request = this.passed.request();
		withoutMessage();
	}

	@Override
	protected void open(int id) {
		super.open(id);
		keepFields();
		this.request.attach(() -> this.connection.connection.execute(this::writeNext),
				this.connection.requests.passing);
		load();
	}

	/** Keeps the fields of responses: all of this connection are passed on. */
	private void keepFields() {
		if (!(this.connection.responses instanceof PassedResponseFields)) {
			this.connection.responses = new PassedResponseFields();
		}
	}

	private boolean load() {
		PassedPart next = this.request.next();
		this.current = next;
		if (next != null && next.kind() == Kind.DATA) {
			nextBody(next.bytes(), next.length());
		}
		return next != null;
	}

	private void writeNext() {
		if (this.isQueued || this.isHalfClosed || isExpired() || !load()) {
			return;
		}
		this.isQueued = true;
		if (!this.output.queue.enqueue(this)) {
			onRejected();
		}
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		WriteDecision decision = admits(writable);
		if (decision == WriteDecision.WRITE || decision == WriteDecision.SKIP) {
			this.isQueued = false;
		}
		if (decision == WriteDecision.WRITE) {
			this.connection.connection.execute(this::writeNext);
		}
		return decision;
	}

	private WriteDecision admits(boolean writable) {
		if (this.streamId == 0) {
			WriteDecision decision = this.connection.admit(this, writable);
			if (decision != WriteDecision.WRITE) {
				return decision;
			}
		}
		if (isExpired()) {
			cancel();
			return WriteDecision.SKIP;
		}
		if (!writable) {
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		PassedPart next = this.current;
		return (next != null && next.kind() == Kind.DATA) ? admitBody() : WriteDecision.WRITE;
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		this.connection.requests.write(out, this.streamId, this.passed.fields(), this.call.remainingMillis);
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		PassedPart next = this.current;
		this.current = null;
		if (next == null) {
			begin(out);
		}
		else if (next.kind() == Kind.DATA) {
			this.isHalfClosed = this.request.takesEnd();
			writeData(out, bytes, this.isHalfClosed);
			holds(NOTHING, 0, null);
			this.request.taken(next);
		}
		else {
			begin(out);
			this.isHalfClosed = true;
			this.output.writer.dataHeader(out, this.streamId, 0, true);
		}
	}

	@Override
	public boolean wantsWriteResult() {
		return false;
	}

	@Override
	public void onRejected() {
		this.isQueued = false;
		super.onRejected();
	}

	@Override
	boolean takesTrailers() {
		return this.isStreaming;
	}

	@Override
	boolean isStreaming() {
		return this.isStreaming;
	}

	@Override
	void onHeaders(ResponseFields fields, boolean endStream) {
		if (!endStream && (this.isStreaming || fields.isInterim())) {
			onInterim(this.isStreaming);
			return;
		}
		this.remoteClosed |= endStream;
		this.httpStatus = this.isStreaming ? this.httpStatus : fields.httpStatus;
		RpcStatus status = (fields.status != null) ? fields.status : statusOfHttp();
		if (endStream && !this.isStreaming && fields.execution == Execution.NONE && fields.contract == null
				&& ((PassedCall) this.call).goesElsewhere(status)) {
			this.connection.end(this, status,
					new ErrorReply(status, Execution.NONE, "", fields.message, Attachments.none()));
			return;
		}
		if (!endStream && !begins(fields.contentLength)) {
			return;
		}
		List<HeaderField> all = ((PassedResponseFields) fields).all();
		if (endStream) {
			this.passed.responds(status);
		}
		if (responds(endStream ? PassedPart.end(all) : PassedPart.head(all)) && endStream) {
			this.connection.complete(this, status, null, NOTHING, 0);
		}
	}

	/** Begins the response. Returns false if the call has gone elsewhere. */
	private boolean begins(long contentLength) {
		long allowed = this.call.deadlineNanos() - this.call.startNanos;
		if (!this.connection.streams(this, (allowed < PassedCall.UNLIMITED_NANOS) ? allowed : Long.MAX_VALUE,
				(timer) -> this.deadline = timer)) {
			abandon();
			return false;
		}
		this.isStreaming = true;
		this.request.keepNoMore();
		((PassedCall) this.call).responds();
		announced(contentLength);
		return true;
	}

	private boolean responds(PassedPart part) {
		if (this.passed.respond(part, this)) {
			return true;
		}
		reject(RpcStatus.RESOURCE_EXHAUSTED, "rpc.server.memory.limit: all memory of the relay for bodies is in use");
		return false;
	}

	private RpcStatus statusOfHttp() {
		return (this.httpStatus == HTTP_OK) ? RpcStatus.OK : GrpcStatus.ofHttp(this.httpStatus);
	}

	@Override
	protected void onBody(byte[] in, int from, int to) {
		if (this.discards) {
			return;
		}
		if (!this.isStreaming) {
			reject(RpcStatus.INTERNAL, "the response has DATA before its header fields");
			return;
		}
		if (to > from) {
			this.untaken += to - from;
			if (!responds(PassedPart.data(in, from, to))) {
				return;
			}
		}
		if (!this.remoteClosed) {
			return;
		}
		this.passed.responds(statusOfHttp());
		if (responds(PassedPart.end(null))) {
			this.connection.complete(this, statusOfHttp(), null, NOTHING, 0);
		}
	}

	@Override
	protected int unconsumedBytes() {
		return this.untaken;
	}

	/** Lets the server send more: the client of the relay has taken bytes. */
	@Override
	public void giveBack(int window, int memory) {
		this.connection.connection.execute(() -> {
			this.untaken -= window;
			if (!this.reset) {
				restoreWindow();
			}
		});
	}

	/** Resets the stream of the client, too, unless the call goes elsewhere. */
	@Override
	void onReset(Http2Error error) {
		RpcStatus status = GrpcStatus.ofReset(error, this.call.remainingNanos());
		if (error == Http2Error.REFUSED_STREAM && ((PassedCall) this.call).goesElsewhere(status)) {
			super.onReset(error);
			return;
		}
		this.reset = true;
		this.discards = true;
		this.passed.responds(status);
		this.passed.reset(error.code());
		this.connection.complete(this, status, null, NOTHING, 0);
	}

	/** The server may have answered before the end of the request, which is not sent. */
	@Override
	void ended() {
		if (this.deadline != null) {
			this.deadline.cancel(false);
		}
		if (this.remoteClosed && !this.isHalfClosed) {
			cancel();
		}
	}

	@Override
	public void onConnectionClosed() {
		super.onConnectionClosed();
		this.reset = true;
	}

	@Override
	void lost(String why) {
		if (this.isStreaming) {
			this.call.fail(RpcStatus.UNAVAILABLE, why + " before the response had ended");
		}
	}

	@Override
	public String toString() {
		return "request that is passed on, of " + this.passed.fields().path();
	}

}
