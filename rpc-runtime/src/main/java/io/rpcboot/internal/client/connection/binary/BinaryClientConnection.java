package io.rpcboot.internal.client.connection.binary;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.call.ReplyReader;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.internal.transport.binary.BinaryFrame;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.binary.FrameDecoder;
import io.rpcboot.internal.transport.binary.FrameListener;
import io.rpcboot.internal.transport.binary.InboundBody;
import io.rpcboot.internal.transport.binary.SendWindow;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.security.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Client side of a native connection: assigns call ids, obeys the windows that the server
 * grants and matches replies to calls.
 */
public final class BinaryClientConnection extends ClientConnection implements FrameListener {

	/** Bytes of requests that the server allows. */
	final SendWindow sendWindow;

	/** Bytes of replies that this client allows. */
	final ReplyWindow replyWindow;

	/** Counts the bytes of replies that arrive; belongs to {@link #replyWindow}. */
	private final ReceiveWindow receivedReplies;

	/** Reply bytes that callers have consumed since the last release. Any thread. */
	private final AtomicLong consumedBytes = new AtomicLong();

	/**
	 * Consumed bytes that wake the event loop to release them. Written by the event loop.
	 * The first value is that of {@link ReceiveWindow#untilWake} before the window opens;
	 * {@link #replyWindow} replaces it when it opens.
	 */
	private volatile long releaseThreshold = 2;

	private final BinaryAttachments attachments;

	private final ControlFrames control;

	private final InboundHandler handler;

	/** Calls that the server has granted so far; call ids beyond it must not be sent. */
	long grantedCalls;

	/** Size of the largest frame that the server accepts, in bytes. */
	private int serverMaxFrame = Integer.MAX_VALUE;

	/** Size of the largest attachments that the server accepts, in bytes. */
	private int serverMaxAttachments;

	/** True if the server has another contract for one of the services. */
	private volatile boolean translating;

	BinaryClientConnection(Connection connection, ConnectionObserver owner, ClientResources client,
			ConnectionSecurity security, BinaryAttachments attachments) {
		super(connection, owner, client, security);
		this.attachments = attachments;
		this.sendWindow = new SendWindow(this.queue);
		this.queue.afterBatch(this.sendWindow::settle);
		this.control = new ControlFrames(connection, this, owner, client, this.life);
		this.handler = new FrameDecoder(client.options().maxFrameSize, connection, this);
		this.replyWindow = new ReplyWindow(connection, client, this::releaseThreshold, this.life::end);
		this.receivedReplies = this.replyWindow.received();
	}

	@Override
	public InboundHandler handler() {
		return this.handler;
	}

	@Override
	protected OutboundFrame frame(ClientCall call) {
		return new BinaryRequest(call);
	}

	/** Decides whether a request is written now. */
	WriteDecision admit(BinaryRequest request, boolean writable) {
		ClientCall call = request.call;
		if (call.isAbandoned()) {
			return WriteDecision.SKIP;
		}
		if (this.draining) {
			call.reference.dispatchAgain(call, RedispatchReason.GO_AWAY);
			return WriteDecision.SKIP;
		}
		int size = call.length() + FrameHeader.DEADLINE_LENGTH;
		if (size > this.serverMaxFrame || (call.context != null && hasTooManyAttachments(call.context))) {
			return rejectTooLarge(request, size, writable);
		}
		if (this.shares != null && this.shares.isUsedUp(call.reference.resources().index, freeCalls())) {
			return defer(request, WriteDecision.SKIP);
		}
		boolean granted = this.lastCallId + this.sendWindow.callsKept(size) < this.grantedCalls;
		WriteDecision decision = !granted ? WriteDecision.BLOCKED_BY_WINDOW
				: writable ? this.sendWindow.admit(request, size) : WriteDecision.BLOCKED_BY_SOCKET;
		if (decision != WriteDecision.WRITE) {
			return defer(request, decision);
		}
		long remainingNanos = call.deadlineNanos() - this.queue.drainNanos();
		if (call.isAsynchronous() && remainingNanos <= 0) {
			call.expire();
			return WriteDecision.SKIP;
		}
		if (!call.markSent(this.lastCallId + 1, remainingNanos)) {
			return WriteDecision.SKIP;
		}
		this.lastCallId++;
		this.sendWindow.sent(size);
		if (size > OutboundFrame.LARGE_BODY && 2 * this.consumedBytes.get() >= this.releaseThreshold) {
			releaseConsumed(); // the WINDOW frame shares the packet of this call
		}
		if (call.isOneWay()) {
			this.drain.oneWayBegins();
		}
		else {
			begins(call);
		}
		return WriteDecision.WRITE;
	}

	private boolean hasTooManyAttachments(CallMetadata metadata) {
		return BinaryAttachments.length(metadata, this.serverMaxAttachments) > this.serverMaxAttachments;
	}

	/**
	 * Sends a call that is too large for the server without its optional attachments, or
	 * fails it.
	 */
	private WriteDecision rejectTooLarge(BinaryRequest request, int size, boolean writable) {
		ClientCall call = request.call;
		CallMetadata metadata = call.context;
		int before = (metadata != null) ? metadata.attachments().length : 0;
		if (metadata != null && metadata.dropOptional()) {
			call.replaceStart(before, metadata.attachments());
			request.adoptBody();
			return admit(request, writable);
		}
		call.fail(RpcStatus.INVALID_ARGUMENT,
				FailureMessages.tooLarge(BinaryAttachments.length(metadata, this.serverMaxAttachments),
						this.serverMaxAttachments, size, this.serverMaxFrame));
		return WriteDecision.SKIP;
	}

	/**
	 * Lets a call wait. A long call (over 4 KiB) that has requested window bytes stays in
	 * the write queue; every other call returns to the queue of its reference, where any
	 * connection can take it.
	 * @param decision the reason: SKIP if only the share of its reference is used up
	 * @return SKIP if the call was put back, so that the write queue drops it;
	 * BLOCKED_BY_STREAM if it stays in the write queue until the server has memory for it
	 */
	private WriteDecision defer(BinaryRequest request, WriteDecision decision) {
		ClientCall call = request.call;
		if (decision == WriteDecision.BLOCKED_BY_WINDOW || decision == WriteDecision.BLOCKED_BY_SOCKET) {
			return putBack(call, true);
		}
		if (decision == WriteDecision.SKIP
				|| (this.sendWindow.blocked.waitsForMemory() && !this.sendWindow.blocked.isNext(request))) {
			return putBack(call, false);
		}
		this.deadlines.watchBlocked(call);
		return decision;
	}

	@Override
	public long sentBytes() {
		return this.sendWindow.sent();
	}

	@Override
	protected long freeCalls() {
		return this.grantedCalls - this.lastCallId;
	}

	@Override
	protected boolean canWrite() {
		return !this.draining && this.lastCallId < this.grantedCalls && this.queue.isWritable();
	}

	@Override
	protected boolean longCallsWait() {
		return this.sendWindow.blocked.waitsForMemory();
	}

	@Override
	public void onOpen() {
		if (!endsWithoutTls()) {
			this.control.onOpen();
		}
	}

	@Override
	public void onRead(long nanos, long gapNanos) {
		this.readNanos = nanos;
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length) {
		if (type == FrameType.RESPONSE) {
			onResponse(flags, code, callId, bytes, offset, length, false);
		}
		else {
			this.control.onFrame(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length));
		}
	}

	@Override
	public boolean admits(int type, long callId, int length) {
		this.replyWindow.expect(length);
		return true;
	}

	@Override
	public void onBody(int type, int flags, int code, long callId, InboundBody body) {
		if (type != FrameType.RESPONSE) {
			this.control.onFrame(type, flags, code, callId, body.join());
			return;
		}
		onResponse(flags, code, callId, body.array(), 0, body.size(), true);
	}

	/**
	 * Completes the call that the response answers.
	 * @param own true if the call may keep the array
	 */
	private void onResponse(int flags, int code, long callId, byte[] bytes, int offset, int length, boolean own) {
		boolean declared = (flags & FrameHeader.FLAG_DECLARED_EXCEPTION) != 0;
		boolean answered = code == 0 || declared;
		boolean granted = answered || (flags & FrameHeader.FLAG_NOT_EXECUTED) == 0;
		if (granted && !this.receivedReplies.takes(length)) {
			throw ReplyWindow.notGranted(FrameType.RESPONSE, length);
		}
		// first, because an error that cannot be decoded ends the connection and its
		// calls
		ErrorReply error = answered ? null
				: ErrorReplyDecoder.decode(code, flags, bytes, offset, length, this.attachments.max());
		ClientCall call = this.pending.remove(callId);
		if (call != null) {
			answered(call, (this.load.compared || this.load.measures) ? status(flags, code) : null);
		}
		if (call != null && answered) {
			if (this.recorded != null) {
				this.recorded.carried(call.method.recorder, call.length() + FrameHeader.DEADLINE_LENGTH, length);
			}
			if (!call.completeWithReply(declared ? RpcStatus.DECLARED : RpcStatus.OK, reader(flags), bytes, offset,
					length, own)) {
				consumed(length);
			}
		}
		else {
			consumed(granted ? length : 0);
			if (call != null && error != null) {
				call.onError(error);
			}
		}
		if (this.draining) {
			this.drain.closeWhenDrained();
		}
	}

	@Override
	public void onReadComplete() {
		readCompleted();
	}

	@Override
	public void consumed(long bytes) {
		long all = this.consumedBytes.addAndGet(bytes);
		long threshold = this.releaseThreshold;
		if (all >= threshold && all - bytes < threshold) {
			this.connection.execute(this::releaseConsumed);
		}
	}

	void releaseConsumed() {
		this.replyWindow.release(this.consumedBytes.getAndSet(0));
	}

	/** Sets the threshold; bytes consumed before were compared with the old one. */
	private void releaseThreshold(long bytes) {
		this.releaseThreshold = bytes;
		if (this.consumedBytes.get() >= bytes) {
			this.connection.execute(this::releaseConsumed);
		}
	}

	void onWindow(int flags, int allowed, long calls, byte[] body) {
		this.grantedCalls = Math.max(this.grantedCalls, calls);
		if (this.shares != null) {
			this.shares.allowed((allowed < Window.MANY) ? allowed : Integer.MAX_VALUE, freeCalls());
		}
		boolean answersNeed = (flags & FrameHeader.FLAG_ANSWERS_NEED) != 0;
		this.sendWindow.raise(Window.decode(body), answersNeed);
		this.sendWindow.blocked.resume();
		if (this.needsNoWakeUp || answersNeed || (this.shares != null && this.shares.takeReleased(freeCalls()))) {
			this.queue.pull();
		}
	}

	void serverAccepts(int maxFrame, int maxAttachments) {
		this.serverMaxFrame = maxFrame;
		this.serverMaxAttachments = maxAttachments;
	}

	/** Counts out a one-way call that was written or never will be. */
	void oneWayWritten(ClientCall call, boolean written) {
		CallRecorder recorder = call.method.recorder;
		if (written && recorder != null) {
			recorder.carried(call.length() + FrameHeader.DEADLINE_LENGTH, 0);
		}
		this.drain.oneWayWritten();
		call.written(written, false);
	}

	@Override
	public void cancelRemote(ClientCall call) {
		this.queue.enqueue(new CancelFrame(call));
	}

	@Override
	protected void cancel(long id) {
		this.queue.enqueue(new ControlFrame(FrameType.CANCEL, 0, id, OutboundFrame.NOTHING));
	}

	/** Removes a call from the table when its CANCEL is written, if it is still there. */
	private final class CancelFrame extends BinaryFrame {

		private final ClientCall call;

		CancelFrame(ClientCall call) {
			super(FrameType.CANCEL, NOTHING);
			this.call = call;
			RpcException failure = call.failure;
			if (failure != null && failure.status() == RpcStatus.DEADLINE_EXCEEDED) {
				this.code = (char) RpcStatus.DEADLINE_EXCEEDED.code();
			}
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			if (BinaryClientConnection.this.pending.get(this.call.id()) != this.call) {
				return WriteDecision.SKIP;
			}
			if (!writable) {
				return WriteDecision.BLOCKED_BY_SOCKET;
			}
			this.callId = this.call.id();
			BinaryClientConnection.this.drain.cancelled(this.call);
			return WriteDecision.WRITE;
		}

		@Override
		public void onRejected() {
		}

	}

	@Override
	public void onAbandoned(ClientCall call) {
		this.connection.execute(() -> {
			if (isNext(call, true) || isNext(call, false)) {
				this.sendWindow.blocked.resume();
				this.queue.pull();
			}
		});
	}

	private boolean isNext(ClientCall call, boolean isLong) {
		return this.sendWindow.blocked.next(isLong) instanceof BinaryRequest request && request.call == call;
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.replyWindow.close();
		this.life.closed(cause, this.control::close);
	}

	@Override
	public void bind(ServiceBinding binding) {
		this.control.bind(binding);
	}

	@Override
	protected void onKeepAlive() {
		this.control.onKeepAlive();
		this.sendWindow.yieldUnused();
	}

	@Override
	public void renewCredentials() {
		this.connection.execute(this.control::authenticate);
	}

	/** Returns the newest credentials, null without any. */
	@Nullable Credentials credentials() {
		return (this.security.credentials() != null) ? this.security.credentials().newest() : null;
	}

	@Override
	public boolean probe() {
		this.control.probe();
		return true;
	}

	void translates() {
		this.translating = true;
	}

	private static @Nullable RpcStatus status(int flags, int code) {
		return FrameHeader.isAnswer(flags) ? RpcStatus.DECLARED : RpcStatus.ofCode(code);
	}

	/** Returns the reader of a reply, null for a usual one. */
	private @Nullable ReplyReader reader(int flags) {
		boolean attached = (flags & FrameHeader.FLAG_ATTACHMENTS) != 0;
		return (attached || this.translating)
				? new BinaryReplyReader(attached, this.attachments.max(), this.translating ? this.control : null)
				: null;
	}

	@Override
	public CallTotals totals() {
		return new CallTotals(this.grantedCalls, this.lastCallId, this.sendWindow.granted(), this.sendWindow.sent(),
				this.pending.size(), 0, this.replyWindow.received().reserved());
	}

	@Override
	public String peer() {
		return this.peer;
	}

}
