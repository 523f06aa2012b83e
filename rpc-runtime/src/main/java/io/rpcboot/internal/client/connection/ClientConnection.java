package io.rpcboot.internal.client.connection;

import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.CallBatch;
import org.jspecify.annotations.Nullable;

/**
 * Client side of a connection, whatever its protocol: the table of pending calls, their
 * statistics, deadlines and fair shares, the source of waiting calls, and the drain. The
 * protocol's subclass writes requests, obeys the windows of the server and matches
 * replies to calls.
 * <p>
 * Event loop only, with exceptions. Any thread may call {@link #send}, {@link #offer},
 * {@link #consumed}, {@link #bind}, {@link #probe}, {@link #renewCredentials},
 * {@link #cancelRemote}, {@link #onAbandoned}, {@link #totals}, {@link #peer},
 * {@link #endpoint} and {@link #isTranslating}; any thread except event loops may call
 * {@link #codecOf}. The control thread calls {@link #pullFrom}.
 */
public abstract class ClientConnection implements CallTransport {

	public final Connection connection;

	protected final WriteQueue queue;

	protected final ClientResources client;

	/** TLS and credentials. */
	protected final ConnectionSecurity security;

	private final ConnectionObserver owner;

	/** Handshake, keep-alive and end. */
	protected final ConnectionLifecycle life;

	/** Calls that were sent and have no reply yet, by call id. */
	public final CallTable<ClientCall> pending = new CallTable<>();

	/** Load, latency and outcomes for load balancers. Any thread. */
	public final ConnectionStats load = new ConnectionStats(this.pending);

	/** Address and port of the server in metrics. */
	protected final String peer;

	/** Records the calls of one read together; null without metrics. */
	protected final @Nullable CallBatch recorded;

	protected final DeadlineTimer deadlines;

	public final ConnectionDrain drain;

	public final StuckCallDetector stuckCalls;

	private final CallPuller puller;

	/** Shares of the references; null until the connection serves several. */
	protected @Nullable FairShare shares;

	/** Id of the last call that was sent; ids grow. */
	protected long lastCallId;

	/** True if the connection takes no more calls; never false again. */
	protected boolean draining;

	/** Time of the read whose bytes are being decoded. */
	protected long readNanos;

	/** Futures completed in this read whose permits are not returned yet. */
	private int completedCalls;

	/** Bytes of the replies of these calls. */
	private long completedBytes;

	/** True if this read had a reply for a callback thread. */
	private boolean wakeCallbacks;

	/**
	 * True if the connection needs no wake-up when a call is added: it pulls calls
	 * already, or it cannot write a call and will pull when it can, or it takes no more
	 * calls. Written by the event loop, read by {@link #offer}.
	 */
	public volatile boolean needsNoWakeUp;

	@SuppressWarnings("this-escape")
	protected ClientConnection(Connection connection, ConnectionObserver owner, ClientResources client,
			ConnectionSecurity security) {
		this.connection = connection;
		this.queue = connection.queue();
		this.client = client;
		this.security = security;
		this.owner = owner;
		this.peer = connection.remote();
		this.recorded = client.options().metrics.isNone() ? null : new CallBatch(this.peer);
		this.deadlines = new DeadlineTimer(connection, this.pending);
		this.drain = new ConnectionDrain(connection, this);
		this.stuckCalls = new StuckCallDetector(this);
		this.puller = new CallPuller(this, this.queue);
		this.life = new ConnectionLifecycle(this, owner, client);
	}

	/**
	 * Ends a connection over which credentials must not travel.
	 * @return true if it ends
	 */
	protected final boolean endsWithoutTls() {
		String problem = this.security.problem(this.connection.isEncrypted());
		if (problem != null) {
			this.life.end(problem);
		}
		return problem != null;
	}

	/** Returns the handler of received bytes. */
	public abstract InboundHandler handler();

	/** Binds a service; its calls may follow at once. Any thread. */
	public abstract void bind(ServiceBinding binding);

	/**
	 * Sends credentials that were renewed, if the protocol has them once for a
	 * connection. Any thread.
	 */
	public void renewCredentials() {
	}

	/**
	 * Asks the server for a sign of life. Any thread.
	 * @return false if it was not asked, because it takes that for an attack
	 */
	public abstract boolean probe();

	/** Returns the totals for display. Any thread; they may be some calls apart. */
	public abstract CallTotals totals();

	/** Returns true while streams are open, whose calls are not pending any more. */
	protected boolean hasOpenStreams() {
		return false;
	}

	/**
	 * Tells the server that a call has left the table without its reply. Event loop only.
	 * @param id id that the call had here
	 */
	protected abstract void cancel(long id);

	/** Called at each check of the keep-alive. */
	protected abstract void onKeepAlive();

	/** Returns true if a server that is silent is asked for a sign of life. */
	protected boolean wantsProbe() {
		return true;
	}

	/**
	 * Creates the frame that writes a call to this connection, or puts it back. Any
	 * thread.
	 */
	protected abstract OutboundFrame frame(ClientCall call);

	/** Returns the bytes of requests sent so far. Any thread may get an older number. */
	public abstract long sentBytes();

	/** Returns the calls that the server allows and that have not been sent. */
	protected abstract long freeCalls();

	/** Returns true if a short call can be written now. */
	protected abstract boolean canWrite();

	/** Returns true if further long calls must wait, because one waits for memory. */
	protected abstract boolean longCallsWait();

	/**
	 * Puts a call back into the queue of its reference, so that any connection can take
	 * it.
	 * @param full true if the connection could write no other call either
	 * @return SKIP, so that the write queue drops the call
	 */
	protected final WriteDecision putBack(ClientCall call, boolean full) {
		return this.puller.putBack(call, full);
	}

	/** Returns true if a call is long and has to wait behind other long calls. */
	protected final boolean isBehindOthers(ClientCall call) {
		return this.puller.isBehindOthers(call);
	}

	/** Sets the queues from which this connection takes calls. Control thread. */
	public final void pullFrom(List<UnsentCallQueue> references) {
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
	public final void offer() {
		if (!this.needsNoWakeUp) {
			this.queue.pull();
		}
	}

	/** Counts a call that is being written and waits for its reply. */
	protected final void begins(ClientCall call) {
		this.pending.put(call);
		if (this.shares != null) {
			this.shares.begins(call.reference.resources().index);
		}
		if (call.isAsynchronous()) {
			this.deadlines.watch(call);
		}
	}

	/**
	 * Counts a call whose reply has arrived.
	 * @param status status of the reply, null for one that this version does not know
	 */
	protected final void answered(ClientCall call, @Nullable RpcStatus status) {
		if (this.shares != null) {
			this.shares.ends(call.reference.resources().index);
		}
		if (this.load.compared || this.load.measures) {
			this.load.answered(call, status, this.readNanos);
		}
		this.wakeCallbacks |= call.isAsynchronous();
	}

	/** Returns what the calls of a read have held, once all of its bytes are decoded. */
	protected final void readCompleted() {
		if (this.completedCalls > 0) {
			releaseCompleted();
		}
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
	public final boolean send(ClientCall call) {
		return this.queue.enqueue(frame(call));
	}

	@Override
	public final void record(ClientCall call) {
		if (this.recorded != null) {
			this.recorded.add(call.method.recorder, call.status(), this.readNanos - call.startNanos, call);
		}
	}

	@Override
	public final void countOutAfterRead(int length) {
		this.completedCalls++;
		this.completedBytes += length;
		if (this.client.limit().isFull(this.completedCalls)) {
			releaseCompleted(); // the callback of this reply may start a call
		}
	}

	/** Returns the permits and the bytes of the calls that this read has completed. */
	private void releaseCompleted() {
		int calls = this.completedCalls;
		long bytes = this.completedBytes;
		this.completedCalls = 0;
		this.completedBytes = 0;
		if (calls > 0) {
			consumed(bytes);
			this.client.limit().leave(calls);
		}
	}

	void stopAccepting() {
		this.draining = true;
		this.needsNoWakeUp = true;
		this.connection.leaves();
	}

	/** Ends with the connection. Returns the calls that have no reply. */
	List<ClientCall> closed() {
		this.needsNoWakeUp = true;
		releaseCompleted();
		this.deadlines.stop();
		List<ClientCall> lost = this.drain.removeAfter(0);
		lost.forEach(this.load::unanswered);
		return lost;
	}

	@Override
	public final Endpoint endpoint() {
		return this.owner.endpoint();
	}

}
