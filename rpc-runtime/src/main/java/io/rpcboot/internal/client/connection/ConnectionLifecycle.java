package io.rpcboot.internal.client.connection;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.runtime.ClientResources.OpenConnection;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionNotifier;
import io.rpcboot.internal.transport.connection.PatientTimer;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Life of a connection, whatever its protocol: handshake within the connect timeout,
 * keep-alive, end, and the reports of these to owner, metrics and listeners. Event loop
 * only, except what the display asks.
 */
public final class ConnectionLifecycle implements OpenConnection {

	private final Connection connection;

	private final ClientConnection calls;

	private final ConnectionObserver owner;

	private final ClientResources client;

	private final ClientOptions options;

	private final TransportRecorder recorder;

	private final PatientTimer handshakeTimer;

	/** Name of the server's application. */
	private String application = "";

	private boolean ready;

	private @Nullable Future<?> keepAliveTimer;

	private boolean probeOutstanding;

	private boolean closed;

	/** Null until the handshake is done. */
	private @Nullable ConnectionNotifier listeners;

	/** Reason of the end, null while there is none. */
	private @Nullable String problem;

	ConnectionLifecycle(ClientConnection calls, ConnectionObserver owner, ClientResources client) {
		this.connection = calls.connection;
		this.calls = calls;
		this.owner = owner;
		this.client = client;
		this.options = client.options();
		this.recorder = this.options.metrics.transport(Side.CLIENT);
		this.handshakeTimer = new PatientTimer(this.options.connectTimeout);
	}

	/**
	 * Starts the timers of handshake and keep-alive. The handshakes of TLS and of the
	 * protocol have the connect timeout each.
	 */
	public void opened() {
		if (this.connection.isEncrypted()) {
			startHandshake("no end of the TLS handshake");
			this.connection.afterTls(this::startHandshake);
		}
		else {
			startHandshake();
		}
		this.keepAliveTimer = schedule(this::keepAlive, Options.nanos(this.options.keepAliveInterval));
	}

	private Future<?> schedule(Runnable task, long nanos) {
		return this.connection.loop().schedule(task, nanos, TimeUnit.NANOSECONDS);
	}

	private void startHandshake() {
		startHandshake("no answer to the handshake");
	}

	private void startHandshake(String failure) {
		this.handshakeTimer.start(this.connection.loop(), () -> end((this.problem != null) ? this.problem
				: failure + " within " + FailureMessages.text(this.options.connectTimeout)));
	}

	/**
	 * Reports the end of the handshake. The connection takes calls from now on.
	 * @param application name of the server's application, empty if unknown
	 */
	public void ready(String application) {
		this.ready = true;
		this.handshakeTimer.stop();
		this.application = application;
		this.client.connections().add(this);
		this.connection.ready();
		this.recorder.connectionOpened(this.connection.remote(), application, this.connection.ageNanos());
		this.listeners = ConnectionNotifier.connected(this.options.connectionListeners, this.client.callbacks(),
				Side.CLIENT, Objects.requireNonNull(this.connection.protocol()), this.connection.remote(), application,
				this.connection.certified());
	}

	/** Returns true once the handshake is done. */
	public boolean isReady() {
		return this.ready;
	}

	/** Sets the reason of an end that is to come. */
	public void endsBecause(String reason) {
		this.problem = reason;
	}

	/** Returns true if there is a reason to end. */
	public boolean isEnding() {
		return this.problem != null;
	}

	/** Closes the connection for a reason. */
	public void end(String reason) {
		this.problem = reason;
		this.connection.close();
	}

	private void keepAlive() {
		if (this.closed) {
			return;
		}
		this.calls.onKeepAlive();
		if (this.connection.takeActivity()) {
			this.probeOutstanding = false;
		}
		else if (this.probeOutstanding) {
			end("no sign of life for %s after a probe".formatted(FailureMessages.text(this.options.keepAliveTimeout)));
			return;
		}
		else {
			this.probeOutstanding = this.calls.wantsProbe() && this.calls.probe();
		}
		this.keepAliveTimer = schedule(this::keepAlive,
				Options.nanos(this.probeOutstanding ? this.options.keepAliveTimeout : this.options.keepAliveInterval));
	}

	private String whyClosed(@Nullable Throwable cause) {
		if (this.problem != null && (cause == null || this.connection.isClosedHere())) {
			return this.problem;
		}
		if (cause != null) {
			return Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
		}
		boolean here = this.connection.isClosedHere() || this.client.transport().isClosing();
		if (here) {
			return "closed by this client";
		}
		return this.ready ? "connection lost"
				: "the server closed the connection during the handshake, see its log (" + guess() + ")";
	}

	/** Returns the most likely mistakes of a server that closes at once. */
	private String guess() {
		String protocol = (this.connection.protocol() == Protocol.GRPC) ? "the native protocol" : "gRPC";
		return (this.connection.isEncrypted() ? "does it speak"
				: "TLS on one side only? This one speaks clear text, without rpc.client.ssl.bundle; or does the server speak")
				+ " only %s? See rpc.client.protocol".formatted(protocol);
	}

	/**
	 * Fails the calls that were lost and informs the owner, even if a callback or a
	 * listener throws.
	 * @param cause failure that closed the connection, null for a regular close
	 * @param release releases what the protocol holds
	 */
	public void closed(@Nullable Throwable cause, Runnable release) {
		List<ClientCall> lost = this.calls.closed();
		String why = whyClosed(cause);
		try {
			release.run();
			lost.forEach((call) -> call.fail(RpcStatus.UNAVAILABLE, "the connection was lost: " + why));
			reportClosed(why);
		}
		finally {
			this.owner.onClosed(why);
		}
	}

	private void reportClosed(String why) {
		this.closed = true;
		this.handshakeTimer.stop();
		if (this.keepAliveTimer != null) {
			this.keepAliveTimer.cancel(false);
		}
		this.client.connections().remove(this);
		String remote = this.connection.remote();
		if (this.ready) {
			this.recorder.connectionClosed(remote, this.application, why, this.connection.ageNanos());
		}
		else if (!this.client.transport().isClosing()) {
			this.recorder.connectFailed(remote, why, this.connection.ageNanos());
		}
		if (this.listeners != null) {
			this.listeners.closed(why);
		}
	}

	@Override
	public ConnectionInfo describe() {
		return this.connection.describe(ConnectionNotifier.identity(this.listeners), this.application,
				this.owner.batching().mode(), this.calls.totals());
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
