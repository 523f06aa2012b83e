package io.rpcboot.internal.server.connection.http2;

import java.util.List;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.call.ErrorResponse.Run;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.InboundMessage;
import io.rpcboot.internal.transport.http2.message.MessageStream;
import io.rpcboot.internal.transport.http2.message.OutboundMessages;
import org.jspecify.annotations.Nullable;

/**
 * Call of a method that the server itself offers: a stream of requests and one of
 * responses. It is the frame of what is sent next: responses, at last the trailers. Event
 * loop only, except the methods of {@link StreamHandler.Responses}.
 */
final class BuiltInCall extends MessageStream implements StreamHandler.Responses {

	/** Responses that may wait before the client has to read. */
	private static final int MAX_WAITING = 16;

	private final Http2ServerConnection connection;

	private final StreamHandler.Requests requests;

	private final int longestRequest;

	private final OutboundMessages responses;

	/** End of the responses, null until it is known. */
	private @Nullable ResponseTrailers trailers;

	/** True while this frame is in the write queue. */
	private boolean isQueued;

	/** True if this frame has responses, false if it has the trailers. */
	private boolean hasMessage;

	private boolean ended;

	/**
	 * Begins a call.
	 * @param access null if everybody may call the method
	 */
	@SuppressWarnings("this-escape")
	BuiltInCall(Http2ServerConnection connection, int streamId, RequestHeaders headers, StreamHandler handler,
			@Nullable RequestAccess access) {
		super(connection, connection.output, streamId, headers.allowedNanos());
		announced(headers.isEncoded(), headers.contentLength());
		this.connection = connection;
		this.responses = new OutboundMessages(connection.budget(), connection.unsent());
		this.longestRequest = handler.longestRequest();
		this.requests = (access != null) ? access.begin(handler, headers, this) : handler.begin(this);
	}

	@Override
	protected Owner owner() {
		return this.connection;
	}

	@Override
	protected int longestMessage() {
		return this.longestRequest;
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		if (compressed) {
			reject(RpcStatus.UNIMPLEMENTED, "compressed messages (expected: others, for this method)");
			return;
		}
		this.requests.onMessage(in, offset, count);
		if (!this.requests.keepsMessages()) {
			messagesTaken();
		}
	}

	/** If another message arrives, memory is released with that one. */
	@Override
	public void messagesTaken() {
		if (message() == null) {
			releaseMemory();
		}
		if (this.responses.size() < MAX_WAITING) {
			restoreWindow();
		}
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		onMessage(complete.isCompressed(), complete.array(), 0, complete.filled(), false);
	}

	/** A call may last as long as its client likes, but no message of it. */
	@Override
	public boolean isOverdue(long now) {
		return message() != null && super.isOverdue(now);
	}

	@Override
	protected void onHalfClose() {
		this.requests.onHalfClose();
	}

	@Override
	public void send(byte[] message) {
		this.connection.execute(() -> { // in the order of threads
			if (this.trailers != null || this.ended) {
				return;
			}
			if (!this.responses.add(message)) {
				this.responses.dropWaiting();
				close(RpcStatus.RESOURCE_EXHAUSTED, "rpc.server.memory.limit: no memory for the response");
				return;
			}
			writeNext();
		});
	}

	@Override
	public void close(RpcStatus status, String message) {
		close(new ResponseTrailers(status, message, "", null, List.of(), Run.YES, false));
	}

	@Override
	public void refuse(AccessDenial why) {
		close(ResponseTrailers.refused(why));
	}

	private void close(ResponseTrailers end) {
		this.connection.execute(() -> {
			if (this.trailers == null) {
				this.discards = true;
				this.trailers = end;
				writeNext();
			}
		});
	}

	@Override
	public void reject(RpcStatus status, String why) {
		this.discards = true;
		if (!this.requests.keepsRejection(status, why)) {
			close(status, why);
		}
	}

	private void writeNext() {
		if (this.isQueued || this.ended) {
			return;
		}
		this.hasMessage = nextBody(this.responses);
		if (!this.hasMessage && this.trailers == null) {
			restoreWindow();
			return;
		}
		this.isQueued = this.output.queue.enqueue(this);
	}

	@Override
	public void onReset() {
		this.output.blocked.unblock(this);
		end();
		if (!this.isQueued) {
			this.connection.release(this);
		}
	}

	@Override
	public void onConnectionClosed() {
		end();
	}

	private void end() {
		if (!this.ended) {
			this.ended = true;
			this.responses.clear();
			this.requests.onEnd();
		}
	}

	@Override
	public boolean isExpired() {
		return this.reset;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = !this.reset;
		if (wanted && !writable) {
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		if (wanted && this.hasMessage) {
			WriteDecision decision = admitBody();
			if (decision == WriteDecision.WRITE) {
				this.isQueued = false;
				this.responses.written();
				this.connection.execute(this::writeNext);
			}
			return decision;
		}
		this.isQueued = false;
		end();
		this.connection.release(this);
		return wanted ? WriteDecision.WRITE : WriteDecision.SKIP;
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		this.connection.headers.headers(out, this.streamId, List.of());
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		if (this.hasMessage) {
			writeData(out, bytes, false);
			return;
		}
		ResponseTrailers end = this.trailers;
		boolean isPlain = end != null && end.status() == RpcStatus.OK && end.message().isEmpty();
		this.connection.headers.trailers(out, this.streamId, isPlain ? null : end, !hasBegun());
		if (!this.remoteClosed) {
			this.output.writer.rstStream(out, this.streamId, Http2Error.NO_ERROR);
		}
	}

	@Override
	public void onRejected() {
		end();
	}

	@Override
	public String toString() {
		return "response of the server itself";
	}

}
