package io.rpcboot.internal.client.connection.http2;

import java.time.Duration;
import java.util.concurrent.Future;

import io.netty.buffer.ByteBuf;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.client.call.StreamCall;
import io.rpcboot.internal.stream.InboundElements;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.ElementWindow;
import io.rpcboot.internal.transport.http2.message.InboundMessage;
import io.rpcboot.internal.transport.http2.message.OutboundElements;
import io.rpcboot.transport.StreamInfo;
import org.jspecify.annotations.Nullable;

/**
 * Stream of a call whose request, reply or both are several messages. It is the frame of
 * what is sent next: the first message, elements of the caller, at last the end of the
 * request. Event loop only, except {@link #consumed}.
 */
final class StreamedExchange extends Http2ClientStream
		implements StreamCall.Stream, OutboundElements.Stream, OpenStreams.Stream {

	private final StreamCall elements;

	/** Elements of the caller, null if the request is one message. */
	private final @Nullable OutboundElements requests;

	/** Number among the open streams of the client, 0 before it is open. */
	private long number;

	/** True once the reply has begun. */
	private boolean isStreaming;

	/** True once a message of the reply has arrived. */
	private boolean hasReply;

	/** Window of the elements of the reply. */
	private final ElementWindow window;

	/** Ends the stream at the deadline of all of it, null without one. */
	private @Nullable Future<?> deadline;

	/** True once the first frame is written. */
	private boolean isOpen;

	/** True while this frame is in the write queue. */
	private boolean isQueued = true;

	/** True if this frame has elements, false if it has the end of the request. */
	private boolean hasMessage;

	/** True once the caller sends no more, behind what waits. */
	private boolean isComplete;

	/** True once the end of the request is written. */
	private boolean isHalfClosed;

	StreamedExchange(Http2ClientConnection connection, StreamCall call) {
		super(connection, call);
		this.elements = call;
		this.window = new ElementWindow(connection.memory(), System::nanoTime);
		this.requests = call.hasStreamedRequest() ? new OutboundElements(this, connection.budget()) : null;
		if (call.method.hasElementsOnly) {
			withoutMessage();
		}
	}

	@Override
	protected void open(int id) {
		super.open(id);
		this.number = this.connection.openStreams().open(this);
	}

	@Override
	public StreamInfo describe(long ofClient) {
		MethodDescriptor descriptor = this.call.method.descriptor;
		OutboundElements sent = this.requests;
		return new StreamInfo(ofClient, descriptor.service(), descriptor.signature(), this.connection.peer(),
				Duration.ofNanos(System.nanoTime() - this.call.startNanos),
				(sent != null) ? sent.describe(this.elements.owesElements(), this.isComplete) : null,
				this.elements.hasStreamedReply() ? this.elements.received() : null);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (this.requests == null) {
			return super.beforeWrite(writable);
		}
		WriteDecision decision = (!this.isOpen || this.hasMessage || isExpired()) ? super.beforeWrite(writable)
				: writable ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET;
		if (decision == WriteDecision.SKIP) {
			this.isQueued = false;
			this.requests.clear();
		}
		else if (decision == WriteDecision.WRITE) {
			this.isQueued = false;
			this.requests.written();
			this.connection.connection.execute(this::written);
		}
		else {
			this.requests.blocked(decision);
		}
		return decision;
	}

	private void written() {
		OutboundElements sent = this.requests;
		if (sent == null || isExpired()) {
			return;
		}
		if (!this.isOpen) {
			if (!this.connection.has(this)) { // the call has gone elsewhere
				abandon();
				return;
			}
			this.isOpen = true;
			this.elements.opened(sent, () -> this.connection.connection.execute(this::complete));
		}
		writeNext(sent);
		this.elements.onWritten();
	}

	private void complete() {
		this.isComplete = true;
		if (this.requests != null) {
			arrived(this.requests);
		}
	}

	@Override
	public void arrived(OutboundElements from) {
		this.elements.meter.arguments(from.taken(), from.takenBytes());
		writeNext(from);
	}

	@Override
	protected void onBody(byte[] in, int from, int to) {
		super.onBody(in, from, to);
		this.elements.report();
	}

	private void writeNext(OutboundElements from) {
		if (this.isQueued || !this.isOpen || this.isHalfClosed || isExpired()) {
			return;
		}
		this.hasMessage = nextBody(from.messages);
		if (!this.hasMessage) {
			holds(NOTHING, 0, null); // the last message is written
		}
		if (this.hasMessage || (this.isComplete && from.isEmpty())) {
			this.isQueued = true;
			if (!this.output.queue.enqueue(this)) {
				onRejected();
			}
		}
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		if (this.requests == null) {
			super.writeTo(out, bytes);
		}
		else if (!this.isOpen) {
			writeData(out, bytes, false);
			releaseBody();
		}
		else if (this.hasMessage) {
			this.isHalfClosed = this.isComplete && this.requests.isEmpty();
			writeData(out, bytes, this.isHalfClosed);
		}
		else {
			this.isHalfClosed = true;
			this.output.writer.dataHeader(out, this.streamId, 0, true);
		}
	}

	@Override
	public boolean execute(Runnable task) {
		return this.connection.connection.execute(task);
	}

	@Override
	public boolean wantsElements() {
		return !isExpired();
	}

	/** A failure of the connection ends the call. */
	@Override
	public void rejected(OutboundElements from) {
		from.clear();
	}

	@Override
	public boolean takesMore() {
		return true;
	}

	@Override
	public void onRejected() {
		this.isQueued = false;
		if (this.requests != null) {
			this.requests.clear();
		}
		super.onRejected();
	}

	/** Elements of the caller begin the reply, those of the server do so themselves. */
	@Override
	protected void onAnswer() {
		if (this.requests != null) {
			begins();
		}
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		if (acceptsElement(compressed, in, offset, count) && reserves(InboundElements.OVERHEAD)) {
			element(OutboundFrame.copy(in, offset, offset + count), count, count + InboundElements.OVERHEAD);
		}
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		if (acceptsElement(complete.isCompressed(), complete.array(), 0, complete.filled())
				&& reserves(InboundElements.OVERHEAD)) {
			element(complete.array(), complete.filled(), complete.capacity() + InboundElements.OVERHEAD);
		}
	}

	private boolean acceptsElement(boolean compressed, byte[] in, int offset, int count) {
		if (this.hasReply && !this.elements.hasStreamedReply()) {
			rejectSecond();
			return false;
		}
		return acceptsReply(compressed, in, offset, count);
	}

	private void element(byte[] bytes, int length, int reserved) {
		if (!begins()) {
			return;
		}
		this.hasReply = true;
		handOver(reserved);
		this.window.add(length + InboundElements.OVERHEAD);
		this.elements.element(bytes, length, reserved);
		restoreWindow();
	}

	/** Begins the reply. Returns false if the call has gone elsewhere. */
	private boolean begins() {
		if (this.isStreaming) {
			return true;
		}
		if (!this.connection.streams(this, this.elements.wholeNanos(), (timer) -> this.deadline = timer)) {
			abandon();
			return false;
		}
		this.isStreaming = true;
		this.elements.begins(this);
		return true;
	}

	@Override
	boolean isStreaming() {
		return this.isStreaming;
	}

	@Override
	protected int windowBytes() {
		return this.window.size();
	}

	@Override
	protected int unconsumedBytes() {
		return this.window.unconsumed();
	}

	@Override
	public void consumed(int bytes, boolean hasWaited) {
		this.connection.connection.execute(() -> {
			this.window.consumed(bytes, hasWaited, receiveWindow());
			if (!this.reset) {
				restoreWindow();
			}
		});
	}

	@Override
	protected byte @Nullable [] reply() {
		return (this.hasReply || this.elements.hasStreamedReply()) ? NOTHING : null;
	}

	/** The server may have answered before the end of the request, which is not sent. */
	@Override
	void ended() {
		this.connection.openStreams().closed(this.number);
		this.window.close();
		if (this.deadline != null) {
			this.deadline.cancel(false);
		}
		if (this.requests != null) {
			if (this.remoteClosed && !this.isHalfClosed) {
				cancel();
			}
			this.requests.dropWaiting();
		}
	}

	@Override
	public void onConnectionClosed() {
		super.onConnectionClosed();
		if (this.requests != null) {
			this.requests.clear();
		}
	}

	@Override
	void onDrain() {
		this.elements.onDrain();
	}

	@Override
	void lost(String why) {
		if (this.isStreaming) {
			this.elements.lost(why);
		}
	}

}
