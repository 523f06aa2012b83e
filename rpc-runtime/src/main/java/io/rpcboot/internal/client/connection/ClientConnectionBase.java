package io.rpcboot.internal.client.connection;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.cluster.MethodOutcomes;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Window;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionSnapshots.CallTotals;
import io.rpcboot.internal.transport.connection.FrameListener;
import io.rpcboot.internal.transport.flow.SendWindow;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.InboundBody;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.CallBatch;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client but for its untroubled calls: its parts, its beginning and its
 * end, grants, calls that wait. Stands beside client connection. Event loop only, but for
 * what says otherwise.
 */
abstract class ClientConnectionBase implements FrameListener, CallTransport {

	public final Connection connection;

	final WriteQueue queue;

	final ClientResources client;

	/** Set when the connection is made, before anything happens. */
	@SuppressWarnings("NullAway.Init")
	public ConnectionProtocol duties;

	public final CallTable<ClientCall> pending = new CallTable<>();

	/** What load balancers see of it. Any thread. */
	public final ConnectionStats load = new ConnectionStats(this.pending);

	/** How its calls ended, by method. Any thread reads. */
	private final MethodOutcomes tallies = new MethodOutcomes();

	/** What metrics call the server. */
	final String peer;

	/** Null if nobody listens. */
	final @Nullable CallBatch tally;

	final DeadlineTimer timeouts;

	public final SendWindow grant;

	final ReplyWindow replies;

	/** Counts the bytes of replies that arrive; belongs to {@link #replies}. */
	final ReceiveWindow replyGrant;

	public final ConnectionDrain ends;

	private final CallPuller pulled;

	/** Null until it serves several references. */
	@Nullable FairShare shares;

	/** Bytes that callers have taken since the event loop looked. Any thread. */
	final AtomicLong takenBytes = new AtomicLong();

	/**
	 * Taken bytes for which the event loop is woken; half of them leave with the next
	 * long call. Written by the event loop.
	 */
	volatile long wakeAfter = 2;

	long grantedCalls;

	long sentCalls;

	int serverMaxFrame = Integer.MAX_VALUE;

	int serverMaxAttachments;

	boolean draining;

	/**
	 * Whether it is compared with others; never false again. Set by the control thread.
	 */
	public volatile boolean compared;

	/** Whether the server has another contract for one of the services. */
	volatile boolean translating;

	/**
	 * Whether it has no room for a call, or calls wait that it takes. Written by the
	 * event loop, read by those who choose a connection.
	 */
	public volatile boolean saturated;

	ClientConnectionBase(Connection connection, ClientResources client) {
		this.connection = connection;
		this.queue = connection.queue();
		this.client = client;
		this.peer = connection.remote();
		this.tally = client.options().metrics.isNone() ? null : new CallBatch(this.peer);
		this.grant = new SendWindow(this.queue);
		this.queue.afterBatch(this.grant::settle);
		this.pulled = new CallPuller(this, this.queue);
		this.ends = new ConnectionDrain(connection, this, this.pending);
		this.timeouts = new DeadlineTimer(connection, this.pending);
		this.replies = new ReplyWindow(connection, client, this::wakeAfter, (reason) -> this.duties.end(reason));
		this.replyGrant = this.replies.grant();
	}

	/** Calls of this read that are over count as under way no longer. */
	abstract void releaseCompleted();

	/**
	 * A call was answered.
	 * @param own has the array if that is the call's own, else null
	 */
	abstract void onResponse(int flags, int code, long callId, byte[] bytes, int offset, int length,
			@Nullable InboundBody own);

	/**
	 * A long call that has asked for memory waits here for it, others for any connection.
	 * @param call is not written now
	 * @param how it would wait; SKIP if only its reference has to
	 */
	final WriteDecision waits(ClientCall call, WriteDecision how) {
		if (how == WriteDecision.WAIT || how == WriteDecision.HOLD) {
			return this.pulled.add(call, true);
		}
		if (how == WriteDecision.SKIP || (this.queue.waitsForMemory() && !this.queue.isNext(call))) {
			return this.pulled.add(call, false);
		}
		this.timeouts.watchHeld(call);
		return how;
	}

	/** Calls that may be sent beside those under way. */
	final long freeWindow() {
		return this.grantedCalls - this.sentCalls;
	}

	/** From where calls may come. Control thread. */
	public void takesFrom(CallSources sources) {
		if (sources.areSeveral()) {
			this.connection.execute(this::share);
		}
		this.pulled.from(sources);
	}

	private void share() {
		if (this.shares == null) {
			FairShare first = new FairShare();
			this.pending.forEach((call) -> first.begins(call.reference.index));
			this.shares = first;
		}
	}

	/** Whether a short call can be written now, so far as its length is not known. */
	boolean hasRoom() {
		return !this.draining && this.sentCalls < this.grantedCalls && this.queue.isWritable();
	}

	void setSaturated(boolean full) {
		this.saturated = full;
	}

	/** Calls wait for a connection: look at them, unless others will. Any thread. */
	public void offer() {
		if (!this.saturated) {
			this.queue.pull();
		}
	}

	@Override
	public void onBody(int type, int flags, int code, long callId, InboundBody body) {
		if (type != FrameType.RESPONSE) {
			this.duties.onFrame(type, flags, code, callId, body.join());
			return;
		}
		boolean result = code == 0 && (flags & FrameHeader.FLAG_DECLARED_EXCEPTION) == 0;
		InboundBody own = (result || body.value() == null) ? body : InboundBody.of(body.join());
		onResponse(flags, code, callId, own.array(), 0, own.size(), own);
	}

	@Override
	public boolean admits(int type, long callId, int length) {
		this.replies.expect(length);
		return true;
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

	void onWindow(int flags, int allowed, long calls, byte[] body) {
		this.grantedCalls = Math.max(this.grantedCalls, calls);
		if (this.shares != null) {
			this.shares.allowed(allowed, freeWindow());
		}
		boolean answersNeed = (flags & FrameHeader.FLAG_ANSWERS_NEED) != 0;
		this.grant.raise(Window.decode(body), answersNeed);
		this.queue.resume();
		if (this.saturated || answersNeed || (this.shares != null && this.shares.takeReleased(freeWindow()))) {
			this.queue.pull();
		}
	}

	@Override
	public boolean isTranslating() {
		return this.translating;
	}

	/** What this client may send. */
	SendWindow grant() {
		return this.grant;
	}

	/** What the server may send. */
	ReplyWindow replies() {
		return this.replies;
	}

	void serverAccepts(int maxFrame, int maxAttachments) {
		this.serverMaxFrame = maxFrame;
		this.serverMaxAttachments = maxAttachments;
	}

	/** Calls that end otherwise than by a reply. */
	public ConnectionDrain ends() {
		return this.ends;
	}

	@Override
	public void oneWayWritten() {
		this.ends.oneWayWritten();
	}

	@Override
	public void cancelRemote(ClientCall call) {
		this.ends.forget(call);
	}

	@Override
	public void onAbandoned(ClientCall call) {
		this.ends.gaveUp(call);
	}

	/** It is about to end. */
	void takesNoMore() {
		this.draining = true;
		this.saturated = true;
		this.connection.leaves();
	}

	boolean isDraining() {
		return this.draining;
	}

	/** A call that was sent is over. */
	final void measure(ClientCall call, boolean declared, int code, long nowNanos) {
		RpcStatus status = declared ? RpcStatus.DECLARED : RpcStatus.ofCode(code);
		long took = (call.attempts == null) ? nowNanos - call.startNanos : 0;
		if (this.load.measures) {
			this.load.ended(status, took, nowNanos);
		}
		if (status != RpcStatus.CANCELLED) {
			boolean failed = ConnectionStats.speaksAgainst(status);
			boolean timed = !failed || status == RpcStatus.DEADLINE_EXCEEDED;
			this.tallies.ended(call.method.number, failed, timed ? took : 0);
		}
	}

	public MethodOutcomes tallies() {
		return this.tallies;
	}

	/** A call that was sent is over without an answer. */
	final void measureUnanswered(ClientCall call) {
		if (this.compared || this.load.measures) {
			long now = System.nanoTime();
			RpcException failure = call.failure;
			// one that has its answer from elsewhere says only that it took longer
			if (call.answeredBy != call && call.method.isHedged && call.attempts == null) {
				this.tallies.answeredElsewhere(call.method.number, now - call.startNanos);
			}
			RpcStatus otherwise = call.isAbandoned() ? RpcStatus.CANCELLED : RpcStatus.UNAVAILABLE;
			RpcStatus status = (failure != null) ? failure.status() : otherwise;
			measure(call, false, status.code(), now);
		}
	}

	@Override
	public void onOpen() {
		this.duties.onOpen();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.saturated = true;
		releaseCompleted();
		this.timeouts.stop();
		this.replies.close();
		List<ClientCall> lost = this.ends.takeBeyond(0);
		lost.forEach(this::measureUnanswered);
		this.duties.onClosed(cause, lost);
	}

	/** Give numbers to a service's methods; calls may follow. Any thread, any time. */
	public void bind(ServiceBinding binding) {
		this.duties.bind(binding);
	}

	/** The server has another contract for a service. */
	void translates() {
		this.translating = true;
	}

	/** For people: any thread may ask, and may see numbers that are some calls apart. */
	public CallTotals totals() {
		return new CallTotals(this.grantedCalls, this.sentCalls, this.grant.granted(), this.grant.sent(),
				this.pending.size(), 0);
	}

	@Override
	public boolean execute(Runnable task) {
		return this.connection.execute(task);
	}

	@Override
	public Endpoint endpoint() {
		return this.duties.endpoint();
	}

}
