package io.rpcboot.internal.client.connection.binary;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.connection.ConnectionLifecycle;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.security.Credentials;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * Handles the frames of a connection that are not replies: handshake, bindings, windows,
 * PING, GO_AWAY. Event loop only, except methods marked "Any thread."
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
final class ControlFrames {

	/** PING frames that a server may send in one keep-alive interval. */
	private static final int MAX_PINGS = 1000;

	/** Maximum length of the reason of a GO_AWAY, in characters. */
	private static final int MAX_REASON = 500;

	private final Connection connection;

	private final BinaryClientConnection calls;

	private final ConnectionObserver owner;

	private final ClientResources client;

	private final ConnectionLifecycle life;

	private final ClientServiceBindings bindings;

	/** Credentials that were sent last, null before the first ones. */
	private @Nullable Credentials sent;

	private int pings;

	ControlFrames(Connection connection, BinaryClientConnection calls, ConnectionObserver owner, ClientResources client,
			ConnectionLifecycle life) {
		this.connection = connection;
		this.calls = calls;
		this.owner = owner;
		this.client = client;
		this.life = life;
		this.bindings = new ClientServiceBindings(connection, calls.sendWindow, owner, client, calls::translates,
				life::end);
	}

	void onOpen() {
		authenticate();
		Hello hello = new Hello(this.client.options().maxFrameSize, List.copyOf(this.client.serializers()),
				this.client.options().applicationName, this.client.options().maxAttachments);
		send(FrameType.HELLO, 0, 0, hello.encode());
		this.calls.replyWindow.open();
		this.owner.bindings().forEach(this.bindings::bind);
		this.life.opened();
	}

	/** Sends the newest credentials, unless the server has them. */
	void authenticate() {
		Credentials newest = this.calls.credentials();
		if (newest == null || newest == this.sent) {
			return;
		}
		this.sent = newest;
		byte[] text = newest.header().getBytes(StandardCharsets.US_ASCII);
		for (int start = 0; start < text.length; start += FrameType.MAX_CONTROL_BODY) {
			int end = Math.min(text.length, start + FrameType.MAX_CONTROL_BODY);
			send(FrameType.AUTH, (end < text.length) ? 1 : 0, 0, Arrays.copyOfRange(text, start, end));
		}
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
		if (!this.life.isReady() && this.life.isEnding()) {
			return;
		}
		if (!this.life.isReady() && type != FrameType.HELLO && type != FrameType.GO_AWAY) {
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
		this.life.endsBecause(reason);
		boolean ends = lastServed != Long.MAX_VALUE;
		if (code == RpcStatus.OK.code() && this.life.isReady()) {
			this.owner.onOld(ends);
		}
		else {
			if (code == RpcStatus.FAILED_PRECONDITION.code() && !this.life.isReady()) {
				this.owner.onIncompatible();
			}
			RpcStatus status = RpcStatus.ofCode(code);
			if (!this.life.isReady()
					&& (status == RpcStatus.UNAUTHENTICATED || status == RpcStatus.PERMISSION_DENIED)) {
				this.owner.onUnauthenticated(new BindRejection(status, reason));
			}
			this.owner.onDraining(reason, lastServed > 0);
			ends = true;
		}
		if (ends) {
			this.calls.drain.drainAfter(lastServed);
		}
	}

	private void onHello(Hello hello) {
		if (this.life.isReady()) {
			throw new ProtocolException("a second HELLO");
		}
		if (Collections.disjoint(hello.serializers(), this.client.serializers())) {
			this.owner.onIncompatible();
			throw new ProtocolException("the server's serializers are %s (expected: one of %s)"
				.formatted(hello.serializers(), this.client.serializers()));
		}
		this.life.ready(hello.application());
		this.calls.serverAccepts(hello.maxFrameSize(), hello.maxAttachments());
		this.bindings.serverAccepts(hello.maxFrameSize());
		this.owner.onReady();
	}

	/** Called at each check of the keep-alive. */
	void onKeepAlive() {
		this.pings = 0;
	}

	/** Releases the contracts of the server. */
	void close() {
		this.bindings.close();
	}

}
