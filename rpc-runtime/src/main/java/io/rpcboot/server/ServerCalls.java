package io.rpcboot.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.netty.util.collection.IntObjectHashMap;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.BodyArrays;
import io.rpcboot.internal.transport.CallTable;
import io.rpcboot.internal.transport.Connection;
import io.rpcboot.internal.transport.ControlFrame;
import io.rpcboot.internal.transport.EventLoopThread;
import io.rpcboot.internal.transport.Frame;
import io.rpcboot.internal.transport.FrameHandler;
import io.rpcboot.internal.transport.OutgoingGrant;
import io.rpcboot.internal.transport.WriteQueue;
import io.rpcboot.transport.RpcConnection;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's calls have in common, and what happens to them beside their path:
 * from when on they are admitted, and how they end with the connection. Its friends know
 * this, and it knows none of them. Event loop only, but for what says otherwise.
 */
abstract class ServerCalls implements FrameHandler {

	final ServerRuntime server;

	final WriteQueue queue;

	final Grant grant;

	final ServerRefusals refusals = new ServerRefusals(this);

	/** Set when the connection is made, before anything happens. */
	@SuppressWarnings("NullAway.Init")
	ServerDuties duties;

	private final Connection connection;

	/** What the client takes of replies. */
	final OutgoingGrant replies;

	/** By number; none where it was not bound or is refused. */
	final IntObjectHashMap<ServerMethod> methods = new IntObjectHashMap<>();

	/** Calls that are not answered yet. */
	final CallTable<ServerCall> inFlight = new CallTable<>();

	/** Bytes of results that wait or are being written. Any thread. */
	private final AtomicLong unsent = new AtomicLong();

	/** The largest body that client and server both allow. Any thread. */
	volatile int maxResponse;

	/** Whether HELLO was answered; never false again. */
	boolean introduced;

	/** Whether every later call is refused; never false again. */
	boolean goingAway;

	/** A one-way call cannot be sent again: while going away it is still executed. */
	boolean servesOneWays;

	/** The last call that was seen. */
	long lastId;

	/** What this side has against the client. */
	@Nullable String problem;

	boolean closed;

	ServerCalls(Connection connection, ServerRuntime server) {
		this.connection = connection;
		this.server = server;
		this.queue = connection.queue();
		this.maxResponse = server.options.maxFrameSize;
		this.replies = new OutgoingGrant(this.queue);
		this.grant = server.newGrant(() -> connection.execute(() -> flow().admitted()));
	}

	/**
	 * Start a call that is counted as in flight.
	 * @param own whether the array is the call's own
	 */
	abstract void start(ServerCall call, byte[] bytes, int start, int end, boolean own);

	/** A call's answer is about to be written: its place in the grant is free again. */
	abstract void release(ServerCall call);

	/** An answer is complete. Any thread. */
	abstract void enqueue(ServerCall call);

	/**
	 * Write an answer at once, where that is possible.
	 * @return false if it has to be enqueued
	 */
	abstract boolean writeNow(ServerCall call, byte[] reply);

	/** A call is over: it is recorded and counted with its batch. */
	abstract void callEnded(ServerCall call);

	/** A call needs its place in the grant no longer. */
	abstract void released(int bytes);

	/** Calls that were counted as in flight are over. Any thread. */
	abstract void callsEnded(int calls);

	/** The same for one call. Any thread. */
	final void callEnded() {
		callsEnded(1);
	}

	@Override
	public final void onOpen() {
		this.duties.onOpen();
	}

	@Override
	public final boolean admits(int type, long callId, int length) {
		return this.duties.admits(type, callId, length);
	}

	@Override
	public final void onClosed(@Nullable Throwable cause) {
		this.duties.onClosed(cause);
	}

	/** What the client may send, and what it takes. */
	final ServerFlow flow() {
		return this.duties.flow();
	}

	/** As the application sees the connection. */
	final @Nullable RpcConnection listened() {
		return this.duties.listened();
	}

	/** HELLO was answered: calls may come. */
	final void admitCalls(int largestResponse) {
		this.maxResponse = largestResponse;
		this.introduced = true;
		this.grant.open();
		flow().announce();
	}

	/** HELLO was answered with GO_AWAY. */
	final void admitNone() {
		this.introduced = true;
		this.goingAway = true;
	}

	/** Refuse every later call. Returns the last call that is served. */
	final long goAway() {
		this.goingAway = true;
		this.servesOneWays = true;
		return this.lastId;
	}

	/** Whether a request is not looked at, because nothing is wanted of the client. */
	final boolean isIgnored(boolean oneWay, long callId, int length) {
		if (callId <= this.lastId) {
			throw new ProtocolException("call ids do not rise");
		}
		if (!this.goingAway || (oneWay && this.servesOneWays)) {
			return false;
		}
		this.grant.bytes().takes(length); // it is owed no longer
		return true;
	}

	/** The client sent more than it was granted. */
	final void endOverGrant(long callId) {
		this.goingAway = true;
		this.problem = "more was sent than the server's grant allows";
		this.refusals.answer(callId, RpcStatus.RESOURCE_EXHAUSTED, this.problem, 0, false);
		closeSoon();
	}

	/** After the last word: the client is to read it first, but not to stay. */
	final void closeSoon() {
		this.queue.enqueue(new ControlFrame(FrameType.PONG, 0, 0, Frame.NOTHING, this.connection::halfClose));
		this.connection.loop().schedule(this.connection::close, 1, TimeUnit.SECONDS);
	}

	/** Close because of what the client did. */
	final void end(String reason) {
		if (!this.closed) {
			this.problem = reason;
			warn("Connection closed", reason);
			this.connection.close();
		}
	}

	final void warn(String reason, String detail) {
		this.server.log.warn(reason, this.connection + ": " + detail);
	}

	/** A one-way call does not begin, and nobody else learns of it. Any thread. */
	final void dropped(Supplier<String> what) {
		this.server.droppedCalls.increment();
		this.server.log.warn("One-way call dropped", () -> this.connection + ": " + what.get());
	}

	/** A call runs on this event loop; its arguments are read in place. */
	final void runHere(ServerCall call, byte[] bytes, int start, int end, boolean own) {
		call.arguments(bytes, start, end - start);
		EventLoopThread.run(call);
		if (own) {
			BodyArrays.SHARED.give(bytes);
		}
		if (!call.released) {
			this.inFlight.put(call);
		}
	}

	final boolean isGoingAway() {
		return this.goingAway;
	}

	final boolean isBusy() {
		return this.inFlight.size() > 0;
	}

	/** By number; none where it was not bound or is refused. */
	final IntObjectHashMap<ServerMethod> methods() {
		return this.methods;
	}

	/** A call that was given to the workers and is not answered yet. */
	final @Nullable ServerCall find(long callId) {
		return this.inFlight.get(callId);
	}

	/** Nothing of the calls is kept. */
	final void abandonCalls() {
		this.inFlight.removeIf((call) -> true).forEach(CallTrouble::abandon);
	}

	/** What the client takes of replies. */
	final OutgoingGrant replies() {
		return this.replies;
	}

	/** Bytes of results that wait or are being written. Any thread. */
	final AtomicLong unsent() {
		return this.unsent;
	}

	/** The largest body that client and server both allow. Any thread. */
	final int maxResponse() {
		return this.maxResponse;
	}

	final ServerRuntime server() {
		return this.server;
	}

}
