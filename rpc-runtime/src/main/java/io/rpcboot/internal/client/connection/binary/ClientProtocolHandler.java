package io.rpcboot.internal.client.connection.binary;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources.OpenConnection;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionNotifier;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Handles the frames of a connection that are not replies: handshake, bindings, windows,
 * keep-alive, GO_AWAY. Event loop only, except methods marked "Any thread."
 *
 * <pre>
 * Frame       code                          callId
 * BIND_REPLY  status                        first number of the BIND
 * CONTRACT    first number of the BIND      -
 * WINDOW      calls that may be in flight   total of granted calls
 * PING, PONG  -                             any number; a PONG repeats that of the PING
 * NEED        -                             length of the body that exceeds the grant
 * YIELD       -                             number of returned bytes
 * GO_AWAY     status                        last call that is served
 * HELLO       -                             -
 * </pre>
 */
final class ClientProtocolHandler implements OpenConnection {

	/** PING frames that a server may send in one keep-alive interval. */
	private static final int MAX_PINGS = 1000;

	/** Maximum length of the reason of a GO_AWAY, in characters. */
	private static final int MAX_REASON = 500;

	private final Connection connection;

	private final BinaryClientConnection calls;

	private final ConnectionObserver owner;

	private final ClientResources client;

	private final TransportRecorder recorder;

	private final ClientServiceBindings bindings;

	/** Name of the server's application. */
	private String application = "";

	private boolean helloSeen;

	private @Nullable Future<?> handshakeTimer;

	private @Nullable Future<?> keepAliveTimer;

	private boolean pingOutstanding;

	private boolean closed;

	private int pings;

	/** Null until the handshake is done. */
	private @Nullable ConnectionNotifier listeners;

	/** Reason of the end, null while there is none. */
	private @Nullable String problem;

	ClientProtocolHandler(Connection connection, BinaryClientConnection calls, ConnectionObserver owner,
			ClientResources client) {
		this.connection = connection;
		this.calls = calls;
		this.owner = owner;
		this.client = client;
		this.bindings = new ClientServiceBindings(connection, calls.sendWindow, owner, client, calls::translates,
				this::end);
		this.recorder = client.options().metrics.transport(Side.CLIENT);
	}

	void onOpen() {
		Hello hello = new Hello(this.client.options().maxFrameSize, List.copyOf(this.client.serializers()),
				this.client.options().applicationName, this.client.options().maxAttachments);
		send(FrameType.HELLO, 0, 0, hello.encode());
		this.calls.replyWindow.open();
		this.owner.bindings().forEach(this.bindings::bind);
		long timeout = Options.nanos(this.client.options().connectTimeout);
		this.handshakeTimer = this.connection.loop().schedule(this::checkHandshake, timeout, TimeUnit.NANOSECONDS);
		long interval = Options.nanos(this.client.options().keepAliveInterval);
		this.keepAliveTimer = this.connection.loop().schedule(this::keepAlive, interval, TimeUnit.NANOSECONDS);
	}

	/** Binds a service. Any thread. */
	void bind(ServiceBinding binding) {
		this.bindings.bind(binding);
	}

	/** Returns the reader of a method's replies. Any thread except event loops. */
	MethodCodec codecOf(BoundMethod method) {
		return this.bindings.codecOf(method);
	}

	/** Sends a PING. Any thread. */
	void probe() {
		send(FrameType.PING, 0, 1, OutboundFrame.NOTHING);
	}

	private void send(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, callId, body));
	}

	/** Handles a frame that is not a reply; the array belongs to this method. */
	void onFrame(int type, int flags, int code, long callId, byte[] body) {
		boolean granted = FrameType.needsGrant(type, 0);
		if (granted && !this.calls.replyWindow.received().takes(body.length)) {
			throw ReplyWindow.notGranted(type, body.length);
		}
		handle(type, flags, code, callId, body);
		if (granted) {
			this.calls.consumed(body.length);
		}
	}

	private void handle(int type, int flags, int code, long callId, byte[] body) {
		if (!this.helloSeen && this.problem != null) {
			return;
		}
		if (!this.helloSeen && type != FrameType.HELLO && type != FrameType.GO_AWAY) {
			throw new ProtocolException("frame type %d before HELLO".formatted(type));
		}
		switch (type) {
			case FrameType.HELLO -> onHello(Hello.decode(body));
			case FrameType.BIND_REPLY -> this.bindings.onReply(code, (int) callId, body);
			case FrameType.CONTRACT -> this.bindings.onContract(code, body);
			case FrameType.WINDOW -> this.calls.onWindow(flags, code, callId, body);
			case FrameType.PING -> {
				if (++this.pings > MAX_PINGS) {
					throw new ProtocolException("too many PING frames");
				}
				send(FrameType.PONG, 0, callId, OutboundFrame.NOTHING);
			}
			case FrameType.NEED -> {
				this.calls.releaseConsumed();
				this.calls.replyWindow.negotiator().need(callId);
			}
			case FrameType.YIELD -> this.calls.replyWindow.negotiator().yield(callId);
			case FrameType.PONG -> {
			}
			case FrameType.GO_AWAY ->
				onGoAway(code, callId, PrintableText.of(new String(body, StandardCharsets.UTF_8), MAX_REASON));
			default -> throw new ProtocolException("unexpected frame type %d".formatted(type));
		}
	}

	/**
	 * Drains the connection, or announces that it is to be replaced.
	 * @param lastServed id of the last call that is served; {@link Long#MAX_VALUE} with
	 * status OK if the server still takes calls until a later GO_AWAY or the close
	 */
	private void onGoAway(int code, long lastServed, String reason) {
		this.connection.goesAway();
		this.problem = reason;
		boolean ends = lastServed != Long.MAX_VALUE;
		if (code == RpcStatus.OK.code() && this.helloSeen) {
			this.owner.onOld(ends);
		}
		else {
			if (code == RpcStatus.FAILED_PRECONDITION.code() && !this.helloSeen) {
				this.owner.onIncompatible();
			}
			this.owner.onDraining(reason, lastServed > 0);
			ends = true;
		}
		if (ends) {
			this.calls.drain.drainAfter(lastServed);
		}
	}

	private void onHello(Hello hello) {
		if (this.helloSeen) {
			throw new ProtocolException("a second HELLO");
		}
		if (Collections.disjoint(hello.serializers(), this.client.serializers())) {
			this.owner.onIncompatible();
			throw new ProtocolException("the server's serializers are %s (expected: one of %s)"
				.formatted(hello.serializers(), this.client.serializers()));
		}
		this.helloSeen = true;
		this.application = hello.application();
		this.client.connections().add(this);
		this.connection.ready();
		this.recorder.connectionOpened(this.connection.remote(), this.application, this.connection.ageNanos());
		this.listeners = ConnectionNotifier.connected(this.client.options().connectionListeners,
				this.client.callbacks(), Side.CLIENT, this.connection.remote(), hello.application());
		this.calls.serverAccepts(hello.maxFrameSize(), hello.maxAttachments());
		this.bindings.serverAccepts(hello.maxFrameSize());
		this.owner.onReady();
	}

	private void checkHandshake() {
		if (!this.helloSeen) {
			end("no answer to the handshake within " + FailureMessages.text(this.client.options().connectTimeout));
		}
	}

	/** Closes the connection for a reason. */
	void end(String reason) {
		this.problem = reason;
		this.connection.close();
	}

	private void keepAlive() {
		if (this.closed) {
			return;
		}
		this.pings = 0;
		this.calls.sendWindow.yieldUnused();
		if (this.connection.takeActivity()) {
			this.pingOutstanding = false;
		}
		else if (this.pingOutstanding) {
			end("no sign of life for %s after a probe"
				.formatted(FailureMessages.text(this.client.options().keepAliveTimeout)));
			return;
		}
		else {
			this.pingOutstanding = true;
			probe();
		}
		long next = Options.nanos(this.pingOutstanding ? this.client.options().keepAliveTimeout
				: this.client.options().keepAliveInterval);
		this.keepAliveTimer = this.connection.loop().schedule(this::keepAlive, next, TimeUnit.NANOSECONDS);
	}

	private String whyClosed(@Nullable Throwable cause) {
		if (cause != null) {
			return Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
		}
		if (this.problem != null) {
			return this.problem;
		}
		boolean here = this.connection.isClosedHere() || this.client.transport().isClosing();
		return here ? "closed by this client" : "connection lost";
	}

	/**
	 * Fails the calls that were lost and informs the owner, even if a callback or a
	 * listener throws.
	 */
	void onClosed(@Nullable Throwable cause, List<ClientCall> lost) {
		String why = whyClosed(cause);
		try {
			this.bindings.close();
			lost.forEach((call) -> call.fail(RpcStatus.UNAVAILABLE, "the connection was lost: " + why));
			reportClosed(why);
		}
		finally {
			this.owner.onClosed(why);
		}
	}

	private void reportClosed(String why) {
		this.closed = true;
		cancel(this.handshakeTimer);
		cancel(this.keepAliveTimer);
		this.client.connections().remove(this);
		String remote = this.connection.remote();
		if (this.helloSeen) {
			this.recorder.connectionClosed(remote, this.application, why, this.connection.ageNanos());
		}
		else if (!this.client.transport().isClosing()) {
			this.recorder.connectFailed(remote, why, this.connection.ageNanos());
		}
		if (this.listeners != null) {
			this.listeners.closed(why);
		}
	}

	private static void cancel(@Nullable Future<?> timer) {
		if (timer != null) {
			timer.cancel(false);
		}
	}

	@Override
	public ConnectionInfo describe() {
		return this.connection.describe(this.application, this.owner.batching().mode(), this.calls.totals());
	}

	@Override
	public int held() {
		return this.connection.queue().blocked.size();
	}

	@Override
	public boolean isIdle() {
		return this.connection.queue().isIdle();
	}

}
