package io.rpcboot.internal.server.connection;

import io.netty.util.collection.IntObjectHashMap;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerCallSlowPath;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.FrameListener;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.InboundBody;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a connection beside their path: from when on they are admitted, and how
 * they end with the connection. What else a connection does is behind
 * {@link ServerConnectionProtocol}. Event loop only.
 */
abstract class ServerConnectionBase extends ServerTransport implements FrameListener {

	public final CallRejector refusals = new CallRejector(this);

	/** Set when the connection is made, before anything happens. */
	@SuppressWarnings("NullAway.Init")
	ServerConnectionProtocol duties;

	/** By number; none where it was not bound or is refused. */
	final IntObjectHashMap<ServerMethod> methods = new IntObjectHashMap<>();

	/** Calls that are not answered yet. */
	public final CallTable<ServerCall> inFlight = new CallTable<>();

	/** Whether HELLO was answered; never false again. */
	boolean introduced;

	/** A one-way call cannot be sent again: while going away it is still executed. */
	boolean servesOneWays;

	/** The last call that was seen. */
	long lastId;

	ServerConnectionBase(Connection connection, ServerResources server) {
		super(connection, server);
	}

	/**
	 * Start a call that is counted as in flight.
	 * @param own has the array if that is the call's own, else null
	 */
	public abstract void start(ServerCall call, byte[] bytes, int start, int end, @Nullable InboundBody own);

	/** What the client may send. */
	abstract CallWindow grant();

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
	public final ServerFlowControl flow() {
		return this.duties.flow();
	}

	@Override
	protected final @Nullable RpcConnection listened() {
		return this.duties.listened();
	}

	@Override
	protected final void watchWaiting() {
		flow().watchWaiting();
	}

	@Override
	protected final boolean takesResults() {
		return flow().takesResults();
	}

	/** HELLO was answered: calls may come. */
	final void admitCalls(int largestResponse) {
		this.maxResponse = largestResponse;
		this.introduced = true;
		grant().open();
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
		if (!this.goingAway || (oneWay && this.servesOneWays && this.problem == null)) {
			return false;
		}
		grant().bytes.takes(length); // it is owed no longer
		return true;
	}

	/** A call runs on this event loop; its arguments are read in place. */
	final void runHere(ServerCall call, byte[] bytes, int start, int end, @Nullable InboundBody own) {
		call.arguments(bytes, start, end - start, (own != null) ? own.value() : null);
		EventLoopThread.run(call);
		if (own != null) {
			ByteArrayPool.SHARED.give(bytes);
		}
		if (!call.released) {
			this.inFlight.put(call);
		}
	}

	/** Nobody will run a call that is counted; its connection ends because of that. */
	final void lost(ServerCall call) {
		this.inFlight.remove(call.id());
		call.onRejected();
	}

	final boolean isBusy() {
		return this.inFlight.size() > 0;
	}

	/** A call that was given to the workers and is not answered yet. */
	public final @Nullable ServerCall find(long callId) {
		return this.inFlight.get(callId);
	}

	/** Nothing of the calls is kept. */
	final void abandonCalls() {
		this.inFlight.removeIf((call) -> true).forEach(ServerCallSlowPath::abandon);
	}

}
