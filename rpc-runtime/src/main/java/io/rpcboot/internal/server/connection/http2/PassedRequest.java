package io.rpcboot.internal.server.connection.http2;

import java.util.List;
import java.util.Objects;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.server.call.ErrorResponse.Run;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.Http2Stream;
import io.rpcboot.internal.transport.http2.Passage;
import io.rpcboot.internal.transport.http2.PassedPart;
import io.rpcboot.internal.transport.http2.PassedPart.Kind;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Stream of a request that a relay passes on: hands DATA over as they arrive, and is the
 * frame of what the next hop answers. Knows no messages. Event loop only, except the
 * methods of {@link PassedRequests.Answer}.
 */
final class PassedRequest extends Http2Stream implements PassedRequests.Answer {

	private final Http2ServerConnection connection;

	private final RequestHeaders.Head head;

	private final PassedRequests.Passing passing;

	private final long startNanos = System.nanoTime();

	private final Passage body = new Passage(this, true);

	@SuppressWarnings("NullAway.Init")
	private PassedRequests.Call call;

	/** Bytes of DATA that the next hop has not taken. */
	private int untaken;

	/** Memory of the header fields, in bytes. */
	private int fieldBytes;

	/** True once the stream counts as one with a complete request. */
	private boolean isCounted;

	/** True once the call is in flight, until it has ended. */
	private boolean isInFlight;

	/** HEADERS of the response; null before they have arrived. */
	private @Nullable PassedPart responseHead;

	/** Part that this frame writes next; null for HEADERS alone. */
	private @Nullable PassedPart current;

	/** True while this frame is in the write queue. */
	private boolean isQueued;

	/** Failure of the relay that ends the response, null without one. */
	private @Nullable ResponseTrailers failure;

	/** True once bytes of the body of the response are written. */
	private boolean hasBody;

	/** True once the end of the response is written, or never will be. */
	private boolean isEnded;

	@SuppressWarnings("this-escape")
	PassedRequest(Http2ServerConnection connection, int streamId, RequestHeaders.Head head, RequestHeaders request,
			PassedRequests.Passing passing) {
		super(connection.output, connection.readNanos(), head.allowedNanos());
		this.connection = connection;
		this.head = head;
		this.passing = passing;
		announced(request.contentLength());
		open(streamId);
	}

	/** Sets the call. Once. */
	void passTo(PassedRequests.Call begun) {
		this.call = begun;
	}

	Passage body() {
		return this.body;
	}

	/**
	 * Begins the call, which counts as in flight.
	 * @param fieldMemory memory of its header fields, in bytes
	 */
	void begin(int fieldMemory) {
		String full = admits(fieldMemory);
		if (full != null) {
			refuse(new ResponseTrailers(RpcStatus.RESOURCE_EXHAUSTED, full, "", null, List.of(), Run.NO, false));
			return;
		}
		this.call.response().attach(this::responds, null);
		writeNext();
		this.call.begin();
	}

	/** Returns why the call cannot begin; null once it is counted. */
	private @Nullable String admits(int fieldMemory) {
		int most = this.connection.server().options.maxInFlightCalls;
		if (!this.connection.memory.take(fieldMemory)) {
			return "rpc.server.memory.limit: no memory for the header fields";
		}
		this.fieldBytes = fieldMemory;
		this.isInFlight = true;
		return (this.connection.server().inFlight.incrementAndGet() <= most) ? null
				: "rpc.server.limits.in-flight-calls: %d calls are in the relay already".formatted(most);
	}

	@Override
	protected void onBody(byte[] in, int from, int to) {
		if (this.discards) {
			return;
		}
		int count = to - from;
		if (count > 0) {
			if (this.body.load() > this.connection.budget().limit() / 2) {
				abort("rpc.server.memory.limit: half of it waits for one instance, which takes no more");
				return;
			}
			if (!this.connection.memory.take(count)) {
				abort("rpc.server.memory.limit: all memory of the relay for bodies is in use");
				return;
			}
			this.untaken += count;
			if (!this.body.add(PassedPart.data(in, from, to))) {
				this.connection.memory.release(count);
			}
		}
		if (this.remoteClosed) {
			counted();
			this.body.add(PassedPart.end(null));
		}
	}

	private void abort(String why) {
		this.discards = true;
		this.call.abort(RpcStatus.RESOURCE_EXHAUSTED, why);
	}

	private void counted() {
		if (!this.isCounted && !this.isEnded) {
			this.isCounted = true;
			this.connection.passes(1);
		}
	}

	@Override
	public void giveBack(int window, int memory) {
		this.connection.execute(() -> {
			this.untaken -= window;
			this.connection.memory.release(memory);
			int most = Http2Limits.STREAM_WINDOW - this.untaken;
			if (window > 0 && !this.remoteClosed && !this.discards && !this.isEnded && receiveWindow() < most / 2) {
				raiseWindow(most);
			}
		});
	}

	/** The body may last as long as the call, which has a deadline of its own. */
	@Override
	public boolean isOverdue(long now) {
		return false;
	}

	@Override
	protected boolean mayPause() {
		return true;
	}

	/** A client that reads may overdraw: what its servers send comes without asking. */
	@Override
	public boolean reserve(int bytes) {
		MemoryBudget budget = this.connection.budget();
		if (!budget.tryReserveAtOnce(Direction.OUTGOING, bytes)) {
			if (budget.isFarOverdrawn()) {
				return false;
			}
			budget.overdraw(Direction.OUTGOING, bytes);
		}
		this.connection.unsent().addAndGet(bytes);
		return true;
	}

	@Override
	public void release(int bytes) {
		this.connection.unsent().addAndGet(-bytes);
		this.connection.budget().release(Direction.OUTGOING, bytes);
	}

	@Override
	public void responds() {
		this.connection.execute(this::writeNext);
	}

	private void writeNext() {
		if (this.isQueued || this.isEnded) {
			return;
		}
		if (this.failure == null && !loads()) {
			return;
		}
		if (this.failure != null && !hasBegun()) {
			refuse(this.failure);
			return;
		}
		counted();
		this.isQueued = this.output.queue.enqueue(this);
		if (!this.isQueued) {
			onRejected();
		}
	}

	/** Loads what is written next. Returns false if nothing has arrived. */
	private boolean loads() {
		PassedPart next = this.call.response().next();
		if (next != null && next.kind() == Kind.HEAD) {
			this.responseHead = next;
			this.current = this.call.response().next();
			prepare();
			return true;
		}
		this.current = next;
		prepare();
		return next != null;
	}

	private void prepare() {
		PassedPart next = this.current;
		if (next != null && next.kind() == Kind.DATA) {
			nextBody(next.bytes(), next.length());
		}
	}

	/** Answers with a failure instead of a response. */
	private void refuse(ResponseTrailers why) {
		boolean isClosed = this.remoteClosed;
		end(false);
		this.connection.streams.remove(id());
		RequestStream refused = PassedRequests.refuse(this.connection, this.streamId, this.head);
		refused.remoteClosed = isClosed;
		refused.forgives = true;
		refused.end(why);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (this.isEnded) {
			this.isQueued = false;
			return WriteDecision.SKIP;
		}
		if (!writable) {
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		PassedPart next = this.current;
		if (this.failure != null) {
			this.isQueued = false;
			if (!hasBegun()) {
				refuse(this.failure);
				return WriteDecision.SKIP;
			}
			return endsWith(this.head.type() == ContentType.GRPC);
		}
		if (next != null && next.kind() == Kind.DATA) {
			WriteDecision decision = admitBody();
			if (decision != WriteDecision.WRITE) {
				return decision;
			}
		}
		this.isQueued = false;
		if (next != null && next.kind() == Kind.END) {
			return endsWith(true);
		}
		this.connection.execute(this::writeNext);
		return WriteDecision.WRITE;
	}

	/**
	 * Ends the stream.
	 * @param isClean false if it is reset, because its format has no place for a failure
	 */
	private WriteDecision endsWith(boolean isClean) {
		if (isClean) {
			end(true);
			this.connection.release(this);
			return WriteDecision.WRITE;
		}
		resetWith(Http2Error.INTERNAL_ERROR);
		return WriteDecision.SKIP;
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		PassedPart first = Objects.requireNonNull(this.responseHead);
		this.connection.headers.passed(out, this.streamId, Objects.requireNonNull(first.fields()), false);
		this.call.response().taken(first);
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		PassedPart next = this.current;
		this.current = null;
		if (this.failure != null) {
			this.connection.headers.trailers(out, this.streamId, this.failure, false);
			writeEnd(out);
		}
		else if (next == null) {
			begin(out);
		}
		else if (next.kind() == Kind.DATA) {
			boolean isLast = this.call.response().takesEnd();
			writeData(out, bytes, isLast);
			holds(NOTHING, 0, null);
			this.hasBody = true;
			this.call.response().taken(next);
			if (isLast) {
				writeEnd(out);
				end(true);
				this.connection.release(this);
			}
		}
		else {
			writeTrailers(out, next);
			this.call.response().taken(next);
		}
	}

	private void writeTrailers(ByteBuf out, PassedPart end) {
		List<HeaderField> trailers = end.fields();
		if (this.responseHead != null) {
			begin(out);
		}
		if (trailers != null) {
			this.connection.headers.passed(out, this.streamId, trailers, true);
		}
		else {
			this.output.writer.dataHeader(out, this.streamId, 0, true);
		}
		writeEnd(out);
	}

	private void writeEnd(ByteBuf out) {
		if (!this.remoteClosed) { // so that it does not send the rest
			this.output.writer.rstStream(out, this.streamId, Http2Error.NO_ERROR);
		}
	}

	@Override
	public void reset(int errorCode) {
		this.connection.execute(() -> {
			if (!this.isEnded) {
				resetWith(Http2Error.of(errorCode));
			}
		});
	}

	private void resetWith(Http2Error error) {
		this.output.reset(this.streamId, error);
		end(false);
		this.output.blocked.unblock(this);
		this.connection.release(this);
	}

	@Override
	public void fail(RpcStatus status, String why, boolean mayHaveRun) {
		this.connection.execute(() -> {
			if (!this.isEnded && this.failure == null) {
				this.failure = new ResponseTrailers(status, why, "", null, List.of(), mayHaveRun ? Run.MAYBE : Run.NO,
						false);
				this.discards = true;
				this.output.blocked.unblock(this);
				writeNext();
			}
		});
	}

	/** Ends the call. Its memory is free. */
	private void end(boolean written) {
		if (this.isEnded) {
			return;
		}
		this.isEnded = true;
		this.discards = true;
		holds(NOTHING, 0, null);
		this.connection.memory.release(this.fieldBytes);
		this.call.ended(written);
		if (this.isCounted) {
			this.connection.passes(-1);
		}
		if (written) {
			this.connection.frames.resets.onResponse();
		}
		if (this.isInFlight) {
			this.connection.callsEnded(1);
			CallRecorder recorder = this.passing.recorders().get(this.call.service());
			if (recorder != null) {
				recorder.record(this.call.outcome(), System.nanoTime() - this.startNanos, this.connection.remote());
			}
		}
	}

	/** Returns true if a reset costs the client nothing: it has got an answer. */
	@Override
	public boolean isAnswered() {
		return this.discards || this.hasBody;
	}

	/** Ends the stream because its request is invalid, or too late. */
	@Override
	public void reject(RpcStatus status, String why) {
		this.discards = true;
		this.call.abort(status, why);
	}

	@Override
	public void onReset() {
		this.call.withdraw("the client has reset the stream");
		end(false);
		this.output.blocked.unblock(this);
		this.connection.release(this);
	}

	@Override
	public void onConnectionClosed() {
		this.call.withdraw("the client has closed the connection");
		end(false);
	}

	@Override
	public boolean isExpired() {
		return this.isEnded;
	}

	@Override
	public void onRejected() {
		this.isQueued = false;
	}

	@Override
	public String toString() {
		return "response that is passed on, of " + this.head.path();
	}

}
