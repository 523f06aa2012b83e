package io.rpcboot.internal.client.connection;

import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.transport.frame.FrameSource;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for any connection, as one connection sees them: those that it cannot
 * write join them, and it takes from them what it can write. Stands beside client
 * connection. Event loop only, but for what says otherwise.
 * <p>
 * No wake-up is lost: who adds a call looks afterwards for a connection that is not full,
 * and a connection that has found no call looks once more after it has said that it is
 * not full.
 */
final class CallPuller implements FrameSource {

	private final ClientConnectionBase connection;

	private final WriteQueue queue;

	/** Written by the control thread. */
	private volatile CallSources sources = CallSources.NONE;

	/** The call that was taken last. */
	private @Nullable ClientCall taken;

	/** The drain in which a call could not be written, by its clock. */
	private long blockedNanos;

	CallPuller(ClientConnectionBase connection, WriteQueue queue) {
		this.connection = connection;
		this.queue = queue;
		this.blockedNanos = System.nanoTime();
		queue.source(this);
	}

	/** From where calls may come. Control thread. */
	void from(CallSources sources) {
		this.sources = sources;
	}

	/** The connection cannot write a call: any other may take it. */
	WriteDecision add(ClientCall call, boolean full) {
		if (full) {
			this.connection.setSaturated(true);
			this.blockedNanos = this.queue.drainNanos();
		}
		if (call == this.taken) {
			call.reference.giveBack(call);
		}
		else {
			call.reference.enqueue(call);
		}
		return WriteDecision.SKIP;
	}

	@Override
	public @Nullable OutboundFrame next() {
		if (this.blockedNanos == this.queue.drainNanos()) {
			return null;
		}
		if (!this.connection.hasRoom()) {
			this.connection.setSaturated(true);
			return null;
		}
		ClientCall call = this.sources.next(this.connection, this.queue.drainNanos(), this.connection.shares,
				this.connection.freeWindow(), !this.queue.waitsForMemory());
		this.connection.setSaturated(call != null);
		this.taken = call;
		if (call != null) {
			call.connection = this.connection;
		}
		return call;
	}

}
