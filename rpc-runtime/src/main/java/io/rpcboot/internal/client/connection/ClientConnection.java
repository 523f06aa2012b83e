package io.rpcboot.internal.client.connection;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.internal.transport.binary.FrameDecoder;
import io.rpcboot.internal.transport.binary.FrameListener;
import io.rpcboot.internal.transport.binary.InboundBody;
import io.rpcboot.internal.transport.binary.SendWindow;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * Client side of a connection: assigns call ids, keeps the table of pending calls, obeys
 * the windows that the server grants and matches replies to calls.
 * <p>
 * Event loop only, with exceptions. Any thread may call {@link #send}, {@link #offer},
 * {@link #consumed}, {@link #bind}, {@link #probe}, {@link #cancelRemote},
 * {@link #onAbandoned}, {@link #execute}, {@link #totals}, {@link #peer},
 * {@link #endpoint} and {@link #isTranslating}; any thread except event loops may call
 * {@link #codecOf}. The control thread calls {@link #pullFrom}.
 */
public final class ClientConnection implements FrameListener, CallTransport {

	public final Connection connection;

	final WriteQueue queue;

	final ClientResources client;

	/** Calls that were sent and have no reply yet, by call id. */
	public final CallTable<ClientCall> pending = new CallTable<>();

	/** Load, latency and outcomes for load balancers. Any thread. */
	public final ConnectionStats load = new ConnectionStats(this.pending);

	/** Address and port of the server in metrics. */
	private final String peer;

	/** Records the calls of one read together; null without metrics. */
	private final @Nullable CallBatch recorded;

	private final DeadlineTimer deadlines;

	/** Bytes of requests that the server allows. */
	public final SendWindow sendWindow;

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

	public final ConnectionDrain drain;

	public final StuckCallDetector stuckCalls;

	private final ClientProtocolHandler protocol;

	public final InboundHandler handler;

	private final CallPuller puller;

	/** Shares of the references; null until the connection serves several. */
	@Nullable FairShare shares;

	/** Calls that the server has granted so far; call ids beyond it must not be sent. */
	private long grantedCalls;

	/** Calls sent so far, and the id of the last one. */
	long sentCalls;

	/** Size of the largest frame that the server accepts, in bytes. */
	int serverMaxFrame = Integer.MAX_VALUE;

	/** Size of the largest attachments that the server accepts, in bytes. */
	int serverMaxAttachments;

	/** True if the connection takes no more calls; never false again. */
	boolean draining;

	/** Time of the read whose bytes are being decoded. */
	private long readNanos;

	/** Futures completed in this read whose permits are not returned yet. */
	private int completedCalls;

	/** Bytes of the replies of these calls. */
	private long completedBytes;

	/** True if this read had a reply for a callback thread. */
	private boolean wakeCallbacks;

	/** True if the server has another contract for one of the services. */
	private volatile boolean translating;

	/**
	 * True if the connection needs no wake-up when a call is added: it pulls calls
	 * already, or it cannot write a call and will pull when it can, or it takes no more
	 * calls. Written by the event loop, read by {@link #offer}.
	 */
	public volatile boolean needsNoWakeUp;

	public ClientConnection(Connection connection, ConnectionObserver owner, ClientResources client) {
		this.connection = connection;
		this.queue = connection.queue();
		this.client = client;
		this.peer = connection.remote();
		this.recorded = client.options().metrics.isNone() ? null : new CallBatch(this.peer);
		this.sendWindow = new SendWindow(this.queue);
		this.queue.afterBatch(this.sendWindow::settle);
		this.protocol = new ClientProtocolHandler(connection, this, owner, client);
		this.handler = new FrameDecoder(client.options().maxFrameSize, connection, this);
		this.puller = new CallPuller(this, this.queue);
		this.drain = new ConnectionDrain(connection, this);
		this.stuckCalls = new StuckCallDetector(this);
		this.deadlines = new DeadlineTimer(connection, this.pending);
		this.replyWindow = new ReplyWindow(connection, client, this::releaseThreshold, this.protocol::end);
		this.receivedReplies = this.replyWindow.received();
	}

	@Override
	public boolean send(ClientCall call) {
		return this.queue.enqueue(call);
	}

	@Override
	public WriteDecision admit(ClientCall call, boolean writable) {
		if (call.isAbandoned()) {
			return WriteDecision.SKIP;
		}
		if (this.draining) {
			call.reference.dispatchAgain(call, RedispatchReason.GO_AWAY);
			return WriteDecision.SKIP;
		}
		int size = call.length() + FrameHeader.DEADLINE_LENGTH;
		if (size > this.serverMaxFrame || (call.context != null && !call.context.fits(this.serverMaxAttachments))) {
			return this.drain.rejectTooLarge(call, size, writable);
		}
		if (this.shares != null && this.shares.isUsedUp(call.reference.resources().index, freeCalls())) {
			return defer(call, WriteDecision.SKIP);
		}
		boolean granted = this.sentCalls + this.sendWindow.callsKept(size) < this.grantedCalls;
		WriteDecision decision = !granted ? WriteDecision.WAIT
				: writable ? this.sendWindow.admit(call, size) : WriteDecision.HOLD;
		if (decision != WriteDecision.WRITE) {
			return defer(call, decision);
		}
		long remainingNanos = call.deadlineNanos() - this.queue.drainNanos();
		if (call.isAsynchronous() && remainingNanos <= 0) {
			call.expire();
			return WriteDecision.SKIP;
		}
		if (!call.markSent(this.sentCalls + 1, remainingNanos, this.sentCalls + 1 == this.grantedCalls)) {
			return WriteDecision.SKIP;
		}
		this.sentCalls++;
		this.sendWindow.sent(size);
		if (size > OutboundFrame.LARGE_BODY && 2 * this.consumedBytes.get() >= this.releaseThreshold) {
			releaseConsumed(); // the WINDOW frame shares the packet of this call
		}
		if (call.isOneWay()) {
			this.drain.oneWayBegins();
		}
		else {
			this.pending.put(call);
			if (this.shares != null) {
				this.shares.begins(call.reference.resources().index);
			}
			if (call.isAsynchronous()) {
				this.deadlines.watch(call);
			}
		}
		return WriteDecision.WRITE;
	}

	/**
	 * Lets a call wait. A long call (over 4 KiB) that has requested window bytes stays in
	 * the write queue; every other call returns to the queue of its reference, where any
	 * connection can take it.
	 * @param decision the reason: SKIP if only the share of its reference is used up
	 * @return SKIP if the call was put back, so that the write queue drops it;
	 * WAIT_FOR_MEMORY if it stays in the write queue until the server has memory for it
	 */
	private WriteDecision defer(ClientCall call, WriteDecision decision) {
		if (decision == WriteDecision.WAIT || decision == WriteDecision.HOLD) {
			return this.puller.putBack(call, true);
		}
		if (decision == WriteDecision.SKIP
				|| (this.sendWindow.blocked.waitsForMemory() && !this.sendWindow.blocked.isNext(call))) {
			return this.puller.putBack(call, false);
		}
		this.deadlines.watchBlocked(call);
		return decision;
	}

	/** Returns the granted calls that have not been sent. */
	long freeCalls() {
		return this.grantedCalls - this.sentCalls;
	}

	/** Returns true if a short call can be written now. */
	boolean canWrite() {
		return !this.draining && this.sentCalls < this.grantedCalls && this.queue.isWritable();
	}

	/** Sets the queues from which this connection takes calls. Control thread. */
	public void pullFrom(List<UnsentCallQueue> references) {
		if (references.stream().mapToInt(UnsentCallQueue::reference).distinct().count() > 1) {
			this.connection.execute(this::shareFairly);
		}
		this.puller.from(references);
	}

	private void shareFairly() {
		if (this.shares == null) {
			FairShare first = new FairShare();
			this.pending.forEach((call) -> first.begins(call.reference.resources().index));
			this.shares = first;
		}
	}

	/** Announces that calls wait, if the connection needs a wake-up. Any thread. */
	public void offer() {
		if (!this.needsNoWakeUp) {
			this.queue.pull();
		}
	}

	@Override
	public void onOpen() {
		this.protocol.onOpen();
	}

	@Override
	public void onRead(long nanos, long gapNanos) {
		this.readNanos = nanos;
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length) {
		if (type == FrameType.RESPONSE) {
			onResponse(flags, code, callId, bytes, offset, length, null);
		}
		else {
			this.protocol.onFrame(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length));
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
			this.protocol.onFrame(type, flags, code, callId, body.join());
			return;
		}
		onResponse(flags, code, callId, body.array(), 0, body.size(), body);
	}

	/**
	 * Completes the call that the response answers.
	 * @param own owner of the array if the call may keep it, else null
	 */
	private void onResponse(int flags, int code, long callId, byte[] bytes, int offset, int length,
			@Nullable InboundBody own) {
		boolean answered = code == 0 || (flags & FrameHeader.FLAG_DECLARED_EXCEPTION) != 0;
		boolean granted = answered || (flags & FrameHeader.FLAG_NOT_EXECUTED) == 0;
		if (granted && !this.receivedReplies.takes(length)) {
			throw ReplyWindow.notGranted(FrameType.RESPONSE, length);
		}
		// first, because an error that cannot be decoded ends the connection and its
		// calls
		ErrorReply error = answered ? null : ErrorReply.decode(code, flags, bytes, offset, length, maxAttachments());
		ClientCall call = this.pending.remove(callId);
		if (call != null && this.shares != null) {
			this.shares.ends(call.reference.resources().index);
		}
		if (call != null && (this.load.compared || this.load.measures)) {
			this.load.answered(call, FrameHeader.isAnswer(flags), code, this.readNanos);
		}
		this.wakeCallbacks |= call != null && call.isAsynchronous();
		if (call != null && answered) {
			if (this.recorded != null) {
				this.recorded.carried(call.method.recorder, call.length() + FrameHeader.DEADLINE_LENGTH, length);
			}
			if (!call.completeWithReply(flags, bytes, offset, length, own)) {
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
	public void record(ClientCall call) {
		if (this.recorded != null) {
			this.recorded.add(call.method.recorder, call.status(), this.readNanos - call.startNanos, call);
		}
	}

	@Override
	public void countOutAfterRead(int length) {
		this.completedCalls++;
		this.completedBytes += length;
		if (this.client.limit().isFull(this.completedCalls)) {
			releaseCompleted(); // the callback of this reply may start a call
		}
	}

	private void releaseCompleted() {
		if (this.completedCalls > 0) {
			int calls = this.completedCalls;
			long bytes = this.completedBytes;
			this.completedCalls = 0;
			this.completedBytes = 0;
			consumed(bytes);
			this.client.limit().leave(calls);
		}
	}

	@Override
	public void onReadComplete() {
		releaseCompleted();
		if (this.recorded != null) {
			this.recorded.publish();
		}
		if (this.shares != null && this.shares.takeReleased(freeCalls())) {
			this.queue.pull();
		}
		if (this.wakeCallbacks) {
			this.wakeCallbacks = false;
			this.client.callbacks().wake();
		}
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
			this.shares.allowed(allowed, freeCalls());
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

	@Override
	public void oneWayWritten() {
		this.drain.oneWayWritten();
	}

	@Override
	public void cancelRemote(ClientCall call) {
		this.drain.cancel(call);
	}

	@Override
	public void onAbandoned(ClientCall call) {
		this.drain.onAbandoned(call);
	}

	void stopAccepting() {
		this.draining = true;
		this.needsNoWakeUp = true;
		this.connection.leaves();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.needsNoWakeUp = true;
		releaseCompleted();
		this.deadlines.stop();
		this.replyWindow.close();
		List<ClientCall> lost = this.drain.removeAfter(0);
		lost.forEach(this.load::unanswered);
		this.protocol.onClosed(cause, lost);
	}

	/** Binds a service; its calls may follow at once. Any thread. */
	public void bind(ServiceBinding binding) {
		this.protocol.bind(binding);
	}

	/** Sends a PING. Any thread. */
	public void probe() {
		this.protocol.probe();
	}

	void translates() {
		this.translating = true;
	}

	@Override
	public boolean isTranslating() {
		return this.translating;
	}

	@Override
	public MethodCodec codecOf(BoundMethod method) {
		return this.translating ? this.protocol.codecOf(method) : method.codec;
	}

	/** Returns the totals for display. Any thread; they may be some calls apart. */
	public CallTotals totals() {
		return new CallTotals(this.grantedCalls, this.sentCalls, this.sendWindow.granted(), this.sendWindow.sent(),
				this.pending.size(), 0, this.replyWindow.received().reserved());
	}

	@Override
	public boolean execute(Runnable task) {
		return this.connection.execute(task);
	}

	@Override
	public int maxAttachments() {
		return this.client.options().maxAttachments;
	}

	@Override
	public String peer() {
		return this.peer;
	}

	@Override
	public Endpoint endpoint() {
		return this.protocol.endpoint();
	}

}
