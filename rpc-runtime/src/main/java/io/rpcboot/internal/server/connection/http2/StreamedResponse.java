package io.rpcboot.internal.server.connection.http2;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.server.call.ElementSink;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.StreamedResult;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.OutboundMessages;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stream with one request and a response of several messages. It is the frame of what is
 * sent next: messages, at last the trailers. Event loop only, except the methods of
 * {@link ElementSink}.
 */
final class StreamedResponse extends RequestStream implements ElementSink {

	/** Memory of an open stream beside its elements, in bytes: its objects here. */
	static final int MEMORY = 2048;

	/** Bytes that wait for the client at which no more elements are asked for. */
	private static final int ROOM = 64 * 1024;

	private final OutboundMessages messages;

	/** Elements on their way to the event loop. */
	private final Queue<byte[]> arriving = new ConcurrentLinkedQueue<>();

	/** Reasons to look at what arrives; the first one sends a task to the loop. */
	private final AtomicInteger reasons = new AtomicInteger();

	private final AtomicLong waitingBytes = new AtomicLong();

	private volatile @Nullable Source source;

	/** True once no element follows, and the end of the response is known. */
	private volatile boolean isEnding;

	/** True while this frame is in the write queue. */
	private boolean isQueued;

	/** True if this frame has messages, false if it has the trailers. */
	private boolean hasMessage;

	/** True once the last frame was written or skipped. */
	private boolean ended;

	StreamedResponse(Http2ServerConnection connection, int streamId, RequestHeaders headers,
			@Nullable Invocation method) {
		super(connection, streamId, headers, method);
		this.messages = new OutboundMessages(connection.budget(), connection.unsent());
	}

	@Override
	public void stream(@Nullable Object stream) {
		StreamedResult.follow(requireCall(), this, stream, (given) -> this.source = given);
	}

	@Override
	public boolean next(byte[] element) {
		long size = OutboundMessages.size(element);
		if (!reserve(size)) {
			return false;
		}
		this.waitingBytes.addAndGet(size);
		this.arriving.add(element);
		look();
		return true;
	}

	/** Reserves memory. Clients that read may overdraw: elements come without asking. */
	private boolean reserve(long size) {
		MemoryBudget budget = this.connection.budget();
		if (budget.tryReserveAtOnce(Direction.OUTGOING, size)) {
			return true;
		}
		if (!this.connection.takesResults() || budget.isFarOverdrawn()) {
			return false;
		}
		budget.overdraw(Direction.OUTGOING, size);
		return true;
	}

	@Override
	public int room() {
		long waiting = this.waitingBytes.get();
		if (this.connection.budget().isOutgoingShort()) {
			return (waiting == 0) ? 1 : 0;
		}
		return (int) Math.max(0, ROOM - waiting);
	}

	@Override
	public void reply(RpcStatus outcome, OutputBuffer out) {
		if (outcome != RpcStatus.OK) {
			sendDeclared(outcome, out);
			return;
		}
		if (!next(out.toByteArray())) {
			throw new MemoryShortageException(this.connection.budget().limit(), false);
		}
		complete();
	}

	@Override
	public void complete() {
		this.forgives = true;
		finish(requireCall());
	}

	@Override
	protected void fail(ServerCall failed, ResponseTrailers end) {
		this.forgives = end.isHonest();
		this.trailers = end;
		finish(failed);
	}

	@Override
	protected void sendEnd() {
		this.isEnding = true;
		look();
	}

	private void look() {
		if (this.reasons.getAndIncrement() == 0 && !this.connection.execute(this::take)) {
			this.reasons.set(0);
			if (this.isEnding) {
				onRejected();
			}
		}
	}

	private void take() {
		this.reasons.set(0);
		for (byte[] each = this.arriving.poll(); each != null; each = this.arriving.poll()) {
			if (this.ended || !isWanted()) {
				release(each);
			}
			else {
				this.messages.addReserved(each);
			}
		}
		writeNext();
	}

	private void release(byte[] element) {
		long size = OutboundMessages.size(element);
		this.waitingBytes.addAndGet(-size);
		this.connection.budget().release(Direction.OUTGOING, size);
	}

	private void writeNext() {
		if (this.isQueued || this.ended) {
			return;
		}
		this.hasMessage = isWanted() && nextBody(this.messages);
		if (!this.hasMessage) {
			holds(NOTHING, 0, null); // the last message is written
		}
		if (this.hasMessage || (this.isEnding && this.arriving.isEmpty())) {
			this.isQueued = true;
			if (!this.output.queue.enqueue(this)) {
				onRejected();
			}
		}
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = isWanted();
		if (wanted && !writable) {
			return block(WriteDecision.BLOCKED_BY_SOCKET);
		}
		if (wanted && this.hasMessage) {
			WriteDecision decision = admitBody();
			if (decision != WriteDecision.WRITE) {
				return block(decision);
			}
			this.isQueued = false;
			this.waitingBytes.addAndGet(-this.messages.written());
			this.connection.execute(this::written);
			return WriteDecision.WRITE;
		}
		this.isQueued = false;
		if (!wanted && this.call != null && !this.isEnding) { // the stream ends first
			drop(this.call);
			return WriteDecision.SKIP;
		}
		this.ended = true;
		this.messages.clear();
		return ends(wanted);
	}

	private void drop(ServerCall unwanted) {
		this.messages.clear();
		unwanted.cancel();
	}

	private void written() {
		writeNext();
		Source from = this.source;
		if (from != null) {
			from.onWritten();
		}
	}

	@Override
	public void onReset() {
		this.messages.dropWaiting();
		super.onReset();
	}

	@Override
	public void onConnectionClosed() {
		this.messages.dropWaiting();
		super.onConnectionClosed();
	}

	/** Resets are for responses that are not wanted, and for streams at any time. */
	@Override
	public boolean isAnswered() {
		return hasBegun() || super.isAnswered();
	}

	/** A slow consumer is none that reads nothing. */
	@Override
	protected boolean mayPause() {
		return this.hasMessage;
	}

	@Override
	void onNotDispatched() {
		this.isEnding = true;
		onRejected();
	}

	/** The connection is closed. The call ends once its source knows. */
	@Override
	public void onRejected() {
		this.isQueued = false;
		this.messages.clear();
		for (byte[] each = this.arriving.poll(); each != null; each = this.arriving.poll()) {
			release(each);
		}
		if (this.call != null && !this.isEnding) {
			this.call.cancel();
		}
		else if (!this.ended) {
			this.ended = true;
			super.onRejected();
		}
	}

	@Override
	public boolean wantsWriteResult() {
		return !this.hasMessage && super.wantsWriteResult();
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
		this.connection.headers.trailers(out, this.streamId, this.trailers, !hasBegun());
		writeEnd(out);
	}

}
