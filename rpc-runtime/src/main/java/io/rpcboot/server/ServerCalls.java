package io.rpcboot.server;

import java.util.concurrent.atomic.AtomicLong;

import io.netty.util.collection.IntObjectHashMap;
import io.rpcboot.internal.transport.CallTable;
import io.rpcboot.internal.transport.Connection;
import io.rpcboot.internal.transport.OutgoingGrant;
import io.rpcboot.internal.transport.WriteQueue;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's calls have in common, and what happens to them beside their path:
 * from when on they are admitted, and how they end with the connection. Its friends know
 * this, and it knows none of them. Event loop only, but for what says otherwise.
 */
abstract class ServerCalls {

	final ServerRuntime server;

	final WriteQueue queue;

	final Grant grant;

	final ServerRefusals refusals = new ServerRefusals(this);

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

	/** What the client may send, and what it takes. */
	abstract ServerFlow flow();

	/** A call needs its place in the grant no longer. */
	abstract void released(int bytes);

	/** Calls that were counted as in flight are over. Any thread. */
	abstract void callsEnded(int calls);

	/** The same for one call. Any thread. */
	final void callEnded() {
		callsEnded(1);
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

	/** The client sent more than it was granted. */
	final void refuseLater() {
		this.goingAway = true;
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

	final void warn(String reason, String detail) {
		this.server.log.warn(reason, this.connection + ": " + detail);
	}

	final ServerRuntime server() {
		return this.server;
	}

}
