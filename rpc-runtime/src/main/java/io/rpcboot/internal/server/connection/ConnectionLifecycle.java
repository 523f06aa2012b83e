package io.rpcboot.internal.server.connection;

import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionNotifier;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Life of a connection at the server, whatever protocol it speaks: introduction of the
 * client, its identity, idle timeout, maximum age, drain and end. Event loop only, except
 * the methods of {@link ActiveConnection}.
 */
public final class ConnectionLifecycle
		implements ActiveConnection, MaxConnectionAge.AgingConnection, ClientIdentity.Listener {

	private final ServerConnection calls;

	private final Connection connection;

	private final ServerResources server;

	public final ServerConnectionDrain drain;

	/** Identity of the client, by its certificate or its credentials. */
	public final ClientIdentity identity;

	/** Watch of whether the client takes its responses. */
	public final ResponseProgress progress;

	private final IdleMonitor idle;

	private final MaxConnectionAge age;

	/** Completes when the server stops and no call is added. */
	private final CompletableFuture<Void> left = new CompletableFuture<>();

	/** Name of the client's application; empty before it is known. */
	private String application = "";

	private boolean introduced;

	/** Connection as listeners see it; null before the handshake. */
	private @Nullable ConnectionNotifier listened;

	ConnectionLifecycle(ServerConnection calls, Connection connection, ServerResources server) {
		this.calls = calls;
		this.connection = connection;
		this.server = server;
		this.drain = new ServerConnectionDrain(connection, server.log, calls::afterFlush);
		this.identity = new ClientIdentity(connection, server.access, InstantSource.system(), System::nanoTime, this);
		this.progress = new ResponseProgress(connection, calls.unsent(), calls::progress,
				() -> calls.queue.blocked.dropExpired(), calls::closeAtOnce);
		this.idle = new IdleMonitor(connection, server.options, calls::isActive, calls::blockedBytes,
				calls::onIdleCheck, calls::closeWithError);
		this.age = new MaxConnectionAge(this, connection.loop(), Options.nanos(server.options.connectionAge),
				Options.nanos(server.options.connectionAgeGrace), System::nanoTime);
	}

	/**
	 * Registers the connection, which is open, and waits for the introduction.
	 * @param frame name of the frame that the client has to send
	 */
	public void opened(String frame) {
		this.server.connections.add(this);
		this.connection.watchGaps();
		this.idle.awaitIntroduction(frame);
	}

	/** Notes the name of the client's application. */
	public void named(String name) {
		this.application = name;
		this.server.onApplication(this.connection.isEncrypted(), name);
		if (this.listened != null) {
			this.listened.named(name);
		}
	}

	/** Returns the name of the client's application, empty before it is known. */
	public String application() {
		return this.application;
	}

	/** Ends the wait: the client has introduced itself. */
	public void introduced() {
		this.introduced = true;
		this.connection.ready();
		this.server.recorder.connectionOpened(this.connection.remote(), this.application, this.connection.ageNanos());
		this.idle.watch();
	}

	/** Returns true once the client has introduced itself. */
	public boolean isIntroduced() {
		return this.introduced;
	}

	/** Completes the handshake: calls are accepted from now on. */
	public void ready(CallerIdentity caller) {
		this.listened = ConnectionNotifier.connected(this.server.options.connectionListeners, this.server.listeners,
				Side.SERVER, Objects.requireNonNull(this.connection.protocol()), this.connection.remote(),
				this.application, caller);
		this.age.begins(ThreadLocalRandom.current()::nextDouble);
	}

	/** Returns the connection as listeners see it, null before the handshake. */
	public @Nullable RpcConnection listened() {
		return this.listened;
	}

	/**
	 * Counts a PING of the client.
	 * @throws ProtocolException if there are too many
	 */
	public void onPing() {
		this.idle.onPing();
	}

	@Override
	public void identified(CallerProof proof) {
		CallerIdentity before = ConnectionNotifier.identity(this.listened);
		this.calls.responder.identified(proof);
		if (this.listened != null) {
			this.listened.identified(proof.identity);
		}
		this.calls.onIdentified(before, proof);
	}

	@Override
	public void refused(AccessDenial why) {
		this.calls.onRefused(why);
	}

	@Override
	public void certificateEnded() {
		this.drain.warn("Connection ends", CERTIFICATE_ENDED, CERTIFICATE_ENDED);
		this.age.end(CERTIFICATE_ENDED);
	}

	/** Replaces the connection soon, whatever its age is. */
	public void expire() {
		this.age.expire();
	}

	/** Returns why the connection ends, or why the server stops. */
	public String whyEnding() {
		return Objects.requireNonNullElse(this.age.whyEnding(), this.server.whyGoAway);
	}

	@Override
	public CompletableFuture<Void> goAway() {
		boolean alive = this.connection.execute(() -> {
			if (!this.introduced || this.drain.closed) {
				left();
			}
			else {
				this.calls.leave(this.server.whyGoAway);
			}
		});
		if (!alive) {
			left();
		}
		return this.left;
	}

	/** Reports that the server stops and no call is added. Idempotent. */
	public void left() {
		this.left.complete(null);
	}

	@Override
	public boolean mayBeReplaced() {
		return this.server.connections.size() < this.server.options.maxConnections;
	}

	@Override
	public boolean isLeaving() {
		return this.drain.goingAway;
	}

	@Override
	public boolean isBusy() {
		return this.calls.isBusy();
	}

	@Override
	public long lastCall() {
		return this.calls.lastCall();
	}

	@Override
	public void requestReplacement() {
		this.calls.requestReplacement();
	}

	@Override
	public void announceGoAway() {
		this.calls.announceGoAway(Objects.requireNonNullElse(this.age.whyEnding(), MaxConnectionAge.AGED));
	}

	@Override
	public void closeGracefully() {
		this.drain.closeOnceFlushed();
	}

	@Override
	public void closeWithError(String why) {
		this.calls.closeWithError(why);
	}

	/**
	 * Ends with the connection: releases all memory, whatever fails on the way.
	 * @param cause failure that closed the connection, null for a regular close
	 */
	public void closed(@Nullable Throwable cause) {
		this.drain.closed = true;
		this.server.connections.remove(this);
		left();
		if (this.age.isOld()) {
			this.server.counts.aged.increment();
		}
		try {
			this.identity.close();
			this.idle.stop();
			this.age.stop();
			this.progress.stop();
		}
		finally {
			this.calls.release();
		}
		String why = whyClosed(cause);
		if (this.introduced) {
			this.server.recorder.connectionClosed(this.connection.remote(), this.application, why,
					this.connection.ageNanos());
		}
		if (cause instanceof ProtocolException) {
			this.drain.warn("Connection closed", String.valueOf(cause.getMessage()));
		}
		if (this.listened != null) {
			this.listened.closed(why);
		}
	}

	private String whyClosed(@Nullable Throwable cause) {
		if (this.drain.problem != null) {
			return this.drain.problem;
		}
		if (cause != null) {
			return Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
		}
		String other = this.server.isDraining ? this.server.whyGoAway : "closed by the client";
		return Objects.requireNonNullElse(this.age.whyEnding(), other);
	}

	@Override
	public ConnectionInfo describe() {
		return this.connection.describe(this.calls.shown(ConnectionNotifier.identity(this.listened)), this.application,
				this.server.options.batching.mode(), this.calls.totals());
	}

	@Override
	public void renewTls(long minAgeNanos, long afterNanos) {
		if (this.connection.isEncrypted() && this.connection.ageNanos() >= minAgeNanos) {
			this.connection.loop().schedule(this.age::expire, afterNanos, TimeUnit.NANOSECONDS);
		}
	}

	@Override
	public void halfClose() {
		this.connection.halfClose();
	}

	@Override
	public void relieve(int tick) {
		this.progress.relieve(tick);
	}

}
