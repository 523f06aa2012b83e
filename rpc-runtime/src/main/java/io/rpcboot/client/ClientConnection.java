package io.rpcboot.client;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ServiceProxy.ProxyMethod;
import io.rpcboot.internal.memory.IncomingGrant;
import io.rpcboot.internal.protocol.Failure;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Window;
import io.rpcboot.internal.transport.Admission;
import io.rpcboot.internal.transport.CallTable;
import io.rpcboot.internal.transport.Connection;
import io.rpcboot.internal.transport.ConnectionView.CallTotals;
import io.rpcboot.internal.transport.Frame;
import io.rpcboot.internal.transport.FrameHandler;
import io.rpcboot.internal.transport.OutgoingGrant;
import io.rpcboot.internal.transport.WriteQueue;
import io.rpcboot.metrics.CallTally;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a connection at the client: call ids, the table of pending calls, the
 * grant. Stop before: write queue or frame decoder; stop after: client call. All state is
 * confined to the event loop.
 */
final class ClientConnection implements FrameHandler {

	private final Connection connection;

	private final WriteQueue queue;

	private final ClientRuntime client;

	private final ClientControl control;

	private final CallTable<ClientCall> pending = new CallTable<>();

	private final PendingTimeouts timeouts;

	private long readNanos;

	private final CallTally tally = new CallTally();

	private final OutgoingGrant grant;

	private final Replies replies;

	/** Counts the bytes of replies that arrive; belongs to {@link #replies}. */
	private final IncomingGrant replyGrant;

	/** Bytes that callers have taken since the event loop looked. Any thread. */
	private final AtomicLong takenBytes = new AtomicLong();

	/**
	 * Taken bytes for which the event loop is woken; half of them leave with the next
	 * long call. Written by the event loop.
	 */
	private volatile long wakeAfter = 2;

	/** Calls of this read that are over but still count as under way. */
	private int ended;

	/** Bytes of their replies. */
	private long endedBytes;

	private long lastId;

	private long grantedCalls;

	private long sentCalls;

	private int serverMaxFrame = Integer.MAX_VALUE;

	private final CallEnds ends;

	private boolean draining;

	private boolean wakeCallbacks;

	/** Whether the server has another contract for one of the services. */
	private volatile boolean translating;

	private final PulledCalls pulled;

	/**
	 * Whether it has no room for a call, or calls wait that it takes. Written by the
	 * event by the event loop.
	 */
	private volatile boolean full;

	ClientConnection(Connection connection, EndpointPool pool, ClientRuntime client) {
		this.connection = connection;
		this.queue = connection.queue();
		this.client = client;
		this.grant = new OutgoingGrant(this.queue);
		this.queue.afterBatch(this.grant::settle);
		this.pulled = new PulledCalls(this, this.queue);
		this.ends = new CallEnds(connection, this, this.pending);
		this.timeouts = new PendingTimeouts(connection, this.pending);
		this.control = new ClientControl(connection, this, pool, client);
		this.replies = new Replies(connection, client, this::wakeAfter, this.control::end);
		this.replyGrant = this.replies.grant();
	}

	/** Enqueue a call. Any thread. False if the connection has ended. */
	boolean send(ClientCall call) {
		return this.queue.enqueue(call);
	}

	/** Right before a call is written. */
	Admission admit(ClientCall call, boolean writable) {
		if (call.isDone()) {
			return Admission.SKIP;
		}
		if (this.draining) {
			call.rejected();
			return Admission.SKIP;
		}
		int size = call.length() + FrameHeader.DEADLINE_LENGTH;
		if (size > this.serverMaxFrame) {
			call.fail(RpcStatus.INVALID_ARGUMENT, CallFailures.largerThanServerAccepts(size, this.serverMaxFrame));
			return Admission.SKIP;
		}
		boolean granted = this.sentCalls + this.grant.callsKept(size) < this.grantedCalls;
		Admission admission = !granted ? Admission.WAIT : writable ? this.grant.admit(call, size) : Admission.HOLD;
		if (admission != Admission.WRITE) {
			return waits(call, admission);
		}
		long remainingNanos = call.deadlineNanos() - this.queue.drainNanos();
		if (call.isAsynchronous() && remainingNanos <= 0) {
			call.expire();
			return Admission.SKIP;
		}
		if (!call.markSent(this.lastId + 1, remainingNanos, this.sentCalls + 1 == this.grantedCalls)) {
			return Admission.SKIP;
		}
		this.lastId++;
		this.sentCalls++;
		this.grant.sent(size);
		if (size > Frame.LARGE_BODY && 2 * this.takenBytes.get() >= this.wakeAfter) {
			releaseTaken(); // the WINDOW leaves with this call
		}
		if (call.isOneWay()) {
			this.ends.oneWayBegins();
		}
		else {
			this.pending.put(call);
			if (call.isAsynchronous()) {
				this.timeouts.watch(call);
			}
		}
		return Admission.WRITE;
	}

	/**
	 * A long call waits here for the memory that it asks for, others for any connection.
	 */
	private Admission waits(ClientCall call, Admission how) {
		if (how != Admission.WAIT_FOR_MEMORY) {
			return this.pulled.add(call);
		}
		this.timeouts.watchHeld(call);
		return how;
	}

	/** Whether a short call can be written now, so far as its length is not known. */
	boolean hasRoom() {
		return !this.draining && this.sentCalls < this.grantedCalls && this.queue.isWritable();
	}

	/** Whether calls wait for it, or it has no room for one. Any thread. */
	boolean isFull() {
		return this.full;
	}

	void full(boolean full) {
		this.full = full;
	}

	/** Look at the calls that wait for a connection. Any thread. */
	void pull() {
		this.queue.pull();
	}

	/** Those that wait for a connection. */
	PulledCalls pulled() {
		return this.pulled;
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
	public void onBody(int type, int flags, int code, long callId, byte[] body, int length) {
		if (type == FrameType.RESPONSE) {
			onResponse(flags, code, callId, body, 0, length, true);
		}
		else {
			this.control.onFrame(type, flags, code, callId, body);
		}
	}

	@Override
	public boolean admits(int type, long callId, int length) {
		this.replies.expect(length);
		return true;
	}

	private void onResponse(int flags, int code, long callId, byte[] bytes, int offset, int length, boolean own) {
		boolean granted = (flags & FrameHeader.FLAG_NOT_EXECUTED) == 0;
		if (granted && !this.replyGrant.takes(length)) {
			throw Replies.notGranted(FrameType.RESPONSE, length);
		}
		boolean answered = code == 0 || (flags & FrameHeader.FLAG_DECLARED_EXCEPTION) != 0;
		// one that cannot be decoded ends the connection, and the call must be there then
		Failure failure = answered ? null : Failure.decode(Arrays.copyOfRange(bytes, offset, offset + length));
		ClientCall call = this.pending.remove(callId);
		this.wakeCallbacks |= call != null && call.isAsynchronous();
		if (call != null && answered) {
			call.completeWithReply(flags, bytes, offset, length, own);
		}
		else {
			taken(granted ? length : 0);
			if (call != null && failure != null) {
				CallFailures.apply(failure, code, flags, call);
			}
		}
		if (this.draining) {
			this.ends.closeWhenDrained();
		}
	}

	/** A future's reply was read: it is recorded, and leaves if it is completed here. */
	void replied(ProxyMethod method, RpcStatus status, long startNanos, boolean leaves, int length) {
		this.tally.add(method.recorder(), status, this.readNanos - startNanos);
		if (leaves) {
			this.ended++;
			this.endedBytes += length;
			if (this.client.limit().isFull()) {
				giveBack(); // for what follows this reply may be a call
			}
		}
	}

	private void giveBack() {
		if (this.ended > 0) {
			int calls = this.ended;
			long bytes = this.endedBytes;
			this.ended = 0;
			this.endedBytes = 0;
			taken(bytes);
			this.client.limit().leave(calls);
		}
	}

	@Override
	public void onReadComplete() {
		giveBack();
		this.tally.publish();
		if (this.wakeCallbacks) {
			this.wakeCallbacks = false;
			this.client.callbacks().wake();
		}
	}

	/** A reply needs no room any more. Any thread. */
	void taken(long bytes) {
		long all = this.takenBytes.addAndGet(bytes);
		long enough = this.wakeAfter;
		if (all >= enough && all - bytes < enough) {
			this.connection.execute(this::releaseTaken);
		}
	}

	void releaseTaken() {
		this.replies.release(this.takenBytes.getAndSet(0));
	}

	/** Those who have taken bytes before did not look at this number. */
	private void wakeAfter(long bytes) {
		this.wakeAfter = bytes;
		if (this.takenBytes.get() >= bytes) {
			this.connection.execute(this::releaseTaken);
		}
	}

	void onWindow(int flags, long calls, byte[] body) {
		this.grantedCalls = Math.max(this.grantedCalls, calls);
		this.grant.raise(Window.decode(body), (flags & FrameHeader.FLAG_ANSWERS_NEED) != 0);
		this.queue.resume();
		if (this.full) {
			this.queue.pull();
		}
	}

	/** What this client may send. */
	OutgoingGrant grant() {
		return this.grant;
	}

	/** What the server may send. */
	Replies replies() {
		return this.replies;
	}

	void serverAccepts(int maxFrame) {
		this.serverMaxFrame = maxFrame;
	}

	/** Calls that end otherwise than by a reply. */
	CallEnds ends() {
		return this.ends;
	}

	/** It is about to end. */
	void takesNoMore() {
		this.draining = true;
		this.full = true;
	}

	boolean isDraining() {
		return this.draining;
	}

	@Override
	public void onOpen() {
		this.control.onOpen();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.full = true;
		giveBack();
		this.timeouts.stop();
		this.replies.close();
		this.control.onClosed(cause, this.ends.takeBeyond(0));
	}

	/** Give numbers to a service's methods; calls may follow. Any thread, any time. */
	void bind(ServiceBinding binding) {
		this.control.bindings().bind(binding);
	}

	/** The server has another contract for a service. */
	void translates() {
		this.translating = true;
	}

	/** Whether replies may have to be translated, for which a table may be read first. */
	boolean isTranslating() {
		return this.translating;
	}

	/** Reads the replies of a method. Any thread but an event loop. */
	MethodCodec codecOf(ProxyMethod method) {
		return this.translating ? this.control.bindings().codecOf(method) : method.codec();
	}

	/** For people: any thread may ask, and may see numbers that are some calls apart. */
	CallTotals totals() {
		return new CallTotals(this.grantedCalls, this.sentCalls, this.grant.granted(), this.grant.sent(),
				this.pending.size(), 0);
	}

	Endpoint endpoint() {
		return this.control.endpoint();
	}

}
