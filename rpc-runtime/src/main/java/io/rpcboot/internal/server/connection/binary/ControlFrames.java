package io.rpcboot.internal.server.connection.binary;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.ConnectionLifecycle;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.security.RefusedCall;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Handles all frames of a native connection at the server but calls: HELLO, AUTH, BIND,
 * PING, CANCEL and flow control. Event loop only.
 */
final class ControlFrames {

	/** Maximum PONG frames that wait for the socket. */
	private static final int MAX_UNWRITTEN_PONGS = 64;

	private final Connection connection;

	private final BinaryServerConnection calls;

	private final ConnectionLifecycle life;

	private final ServerResources server;

	private final ServerConnectionDrain drain;

	private final ServerFlowControl flow;

	final ServerServiceBindings bindings;

	private final ClientAuthentication authentication;

	/** HELLO that is not answered, because the client is being identified. */
	private @Nullable Hello hello;

	private int unwrittenPongs;

	/** True if the client was rejected; its later frames are ignored. */
	private boolean rejected;

	ControlFrames(Connection connection, BinaryServerConnection calls, ServerResources server) {
		this.connection = connection;
		this.calls = calls;
		this.life = calls.life;
		this.drain = calls.drain;
		this.flow = calls.flow;
		this.server = server;
		this.bindings = new ServerServiceBindings(connection, calls, server);
		this.authentication = new ClientAuthentication(this.life.identity);
	}

	/** Handles a frame that is no call. The array belongs to this handler. */
	void onFrame(int type, int flags, int code, long callId, byte[] body) {
		if (this.rejected) {
			return;
		}
		if (!this.life.isIntroduced() && type != FrameType.HELLO && type != FrameType.AUTH) {
			throw new ProtocolException("frame type %d before HELLO".formatted(type));
		}
		switch (type) {
			case FrameType.HELLO -> onHello(Hello.decode(body));
			case FrameType.AUTH -> this.authentication.onAuth(code != 0, body);
			case FrameType.BIND -> this.bindings.onBind(code, body);
			case FrameType.CONTRACT -> {
				this.flow.takeTable(body.length);
				this.bindings.onContract(code, body);
			}
			case FrameType.CANCEL -> cancel(callId, code);
			case FrameType.PING -> onPing(callId);
			case FrameType.WINDOW -> this.flow.onWindow(Window.decode(body), flags);
			case FrameType.NEED -> this.flow.onNeed(callId, this.bindings.hasAny());
			case FrameType.YIELD -> this.flow.onYield(callId);
			case FrameType.PONG -> {
			}
			default -> throw new ProtocolException("unexpected frame type %d".formatted(type));
		}
	}

	private void onPing(long number) {
		this.life.onPing();
		if (++this.unwrittenPongs > MAX_UNWRITTEN_PONGS) {
			throw new ProtocolException("too many PING frames whose answers are not read");
		}
		this.connection.queue()
			.enqueue(new ControlFrame(FrameType.PONG, 0, number, OutboundFrame.NOTHING, () -> this.unwrittenPongs--));
	}

	/**
	 * Handles only the first CANCEL of a call, so a peer cannot repeat the work. One-way
	 * calls cannot be cancelled.
	 */
	private void cancel(long callId, int reason) {
		BinaryServerStream stream = this.calls.find(callId);
		if (stream == null) {
			this.bindings.cancel(callId);
			return;
		}
		ServerCall call = stream.call;
		if (!call.cancelled && !call.oneWay) {
			if (reason == RpcStatus.DEADLINE_EXCEEDED.code()) {
				call.deadlineHasPassed();
			}
			call.cancel();
			this.calls.replies().blocked.unblock(stream);
		}
	}

	private void onHello(Hello hello) {
		if (this.life.isIntroduced()) {
			throw new ProtocolException("a second HELLO");
		}
		this.life.named(hello.application());
		this.life.introduced();
		List<String> accepted = this.server.services.serializers();
		if (Collections.disjoint(accepted, hello.serializers())) {
			String message = ("serializer: the client sends %s, and the server takes %s;"
					+ " set rpc.server.serializers=%s at the server, or rpc.client.serializer=%s at the client")
				.formatted(ServiceTable.quoted(hello.serializers()), ServiceTable.quoted(accepted),
						Stream.concat(accepted.stream(), hello.serializers().stream()).collect(Collectors.joining(",")),
						accepted.get(0));
			close(new AccessDenial(RpcStatus.FAILED_PRECONDITION, message));
			return;
		}
		this.hello = hello;
		this.life.identity.introduced();
	}

	/** Closes the connection of a client whose credentials are not valid. */
	void onRefused(AccessDenial why) {
		AccessControl access = this.server.access;
		if (access != null) {
			access.report(new RefusedCall(this.connection.remote(), this.life.application(),
					Protocol.format(Set.of(Protocol.NATIVE)), CallerIdentity.anonymous(), "", "", why.status()));
		}
		close(why);
	}

	/** Closes the connection of a client that cannot be served. */
	private void close(AccessDenial why) {
		this.drain.warn("Connection closed", why.message());
		this.rejected = true;
		this.calls.admitNone();
		this.calls.sendGoAway(why.status(), 0, why.message(), null);
		this.drain.closeAfterFlush();
	}

	/** Notes who the client is. The first time this completes the handshake. */
	void onIdentified(CallerIdentity before, CallerProof proof) {
		Hello first = this.hello;
		this.hello = null;
		this.server.identified(before, proof.identity);
		if (first != null) {
			answer(first, proof.identity);
		}
		this.bindings.identified(proof);
		if (proof.suspended != null) {
			this.drain.warn("Calls refused", proof.suspended.status(), proof.suspended.message());
		}
	}

	private void answer(Hello hello, CallerIdentity identity) {
		List<String> accepted = this.server.services.serializers();
		send(FrameType.HELLO, 0, 0, new Hello(this.server.options.maxFrameSize, accepted,
				this.server.options.applicationName, this.server.options.maxAttachments)
			.encode());
		if (this.server.isDraining) {
			this.calls.admitNone();
			this.calls.sendGoAway(RpcStatus.UNAVAILABLE, 0, this.server.whyGoAway, null);
			return;
		}
		this.life.ready(identity);
		this.calls.admitCalls(Math.min(this.server.options.maxFrameSize, hello.maxFrameSize()), hello.maxAttachments());
	}

	private void send(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, callId, body));
	}

	/** Handles a call by a number that is not bound. */
	void onUnbound(boolean oneWay, int flags, int code, long callId, byte[] body, int offset, long allowedNanos) {
		this.bindings.onUnbound(oneWay, flags, code, callId, body, offset, allowedNanos);
	}

}
