package io.rpcboot.internal.client.connection;

import java.util.Arrays;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallCompletion;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.call.RedispatchReason;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.InboundBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a connection at the client: call ids, the table of pending calls, the
 * grant. Stop before: write queue or frame decoder; stop after: client call. All state is
 * confined to the event loop.
 */
public final class ClientConnection extends ClientConnectionBase {

	private long readNanos;

	/** Calls of this read that are over but still count as under way. */
	private int ended;

	/** Bytes of their replies. */
	private long endedBytes;

	private long lastId;

	private boolean wakeCallbacks;

	public ClientConnection(Connection connection, ConnectionObserver owner, ClientResources client) {
		super(connection, client);
		this.duties = new ClientProtocolHandler(connection, this, owner, client);
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
			return this.ends.tooLarge(call, writable);
		}
		if (this.shares != null && this.shares.isUsedUp(call.reference.index, freeWindow())) {
			return waits(call, WriteDecision.SKIP);
		}
		boolean granted = this.sentCalls + this.grant.callsKept(size) < this.grantedCalls;
		WriteDecision admission = !granted ? WriteDecision.WAIT
				: writable ? this.grant.admit(call, size) : WriteDecision.HOLD;
		if (admission != WriteDecision.WRITE) {
			return waits(call, admission);
		}
		long remainingNanos = call.deadlineNanos() - this.queue.drainNanos();
		if (call.isAsynchronous() && remainingNanos <= 0) {
			call.expire();
			return WriteDecision.SKIP;
		}
		if (!call.markSent(this.lastId + 1, remainingNanos, this.sentCalls + 1 == this.grantedCalls)) {
			return WriteDecision.SKIP;
		}
		this.lastId++;
		this.sentCalls++;
		this.grant.sent(size);
		if (size > OutboundFrame.LARGE_BODY && 2 * this.takenBytes.get() >= this.wakeAfter) {
			releaseTaken(); // the WINDOW leaves with this call
		}
		if (call.isOneWay()) {
			this.ends.oneWayBegins();
		}
		else {
			this.pending.put(call);
			if (this.shares != null) {
				this.shares.begins(call.reference.index);
			}
			if (call.isAsynchronous()) {
				this.timeouts.watch(call);
			}
		}
		return WriteDecision.WRITE;
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
			this.duties.onFrame(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length));
		}
	}

	@Override
	void onResponse(int flags, int code, long callId, byte[] bytes, int offset, int length, @Nullable InboundBody own) {
		boolean answered = code == 0 || (flags & FrameHeader.FLAG_DECLARED_EXCEPTION) != 0;
		boolean granted = answered || (flags & FrameHeader.FLAG_NOT_EXECUTED) == 0;
		if (granted && !this.replyGrant.takes(length)) {
			throw ReplyWindow.notGranted(FrameType.RESPONSE, length);
		}
		// one that cannot be decoded ends the connection, and the call must be there then
		ErrorReply failure = answered ? null : ErrorReply.decode(flags, bytes, offset, length);
		ClientCall call = this.pending.remove(callId);
		if (call != null && this.shares != null) {
			this.shares.ends(call.reference.index);
		}
		if (call != null && (this.compared || this.load.measures)) {
			measure(call, answered && code != 0, code, this.readNanos);
		}
		this.wakeCallbacks |= call != null && call.isAsynchronous();
		if (call != null && answered) {
			if (this.tally != null) {
				this.tally.carried(call.method.recorder, call.length() + FrameHeader.DEADLINE_LENGTH, length);
			}
			if (!call.completeWithReply(flags, bytes, offset, length, own)) {
				consumed(length);
			}
		}
		else {
			consumed(granted ? length : 0);
			if (call != null && failure != null) {
				CallCompletion.apply(failure, code, flags, call);
			}
		}
		if (this.draining) {
			this.ends.closeWhenDrained();
		}
	}

	@Override
	public void onReply(BoundMethod method, RpcStatus status, long startNanos, boolean leaves, int length) {
		if (this.tally != null) {
			this.tally.add(method.recorder, status, this.readNanos - startNanos);
		}
		if (leaves) {
			this.ended++;
			this.endedBytes += length;
			if (this.client.limit().isFull(this.ended)) {
				releaseCompleted(); // for what follows this reply may be a call
			}
		}
	}

	@Override
	void releaseCompleted() {
		if (this.ended > 0) {
			int calls = this.ended;
			long bytes = this.endedBytes;
			this.ended = 0;
			this.endedBytes = 0;
			consumed(bytes);
			this.client.limit().leave(calls);
		}
	}

	@Override
	public void onReadComplete() {
		releaseCompleted();
		if (this.tally != null) {
			this.tally.publish();
		}
		if (this.shares != null && this.shares.takeReleased(freeWindow())) {
			this.queue.pull();
		}
		if (this.wakeCallbacks) {
			this.wakeCallbacks = false;
			this.client.callbacks().wake();
		}
	}

	@Override
	public void consumed(long bytes) {
		long all = this.takenBytes.addAndGet(bytes);
		long enough = this.wakeAfter;
		if (all >= enough && all - bytes < enough) {
			this.connection.execute(this::releaseTaken);
		}
	}

	@Override
	public String peer() {
		return this.peer;
	}

	@Override
	public MethodCodec codecOf(BoundMethod method) {
		return this.translating ? this.duties.codecOf(method) : method.codec;
	}

}
