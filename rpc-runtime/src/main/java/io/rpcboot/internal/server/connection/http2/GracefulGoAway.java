package io.rpcboot.internal.server.connection.http2;

import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.server.connection.ClientIdentity;
import io.rpcboot.internal.server.connection.IdleMonitor;
import io.rpcboot.internal.server.connection.MaxConnectionAge;
import io.rpcboot.internal.server.connection.ResponseProgress;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionNotifier;
import io.rpcboot.internal.transport.connection.MinDataRateMonitor;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.Http2Stream;
import io.rpcboot.internal.transport.http2.inbound.InboundStream;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Life of an HTTP/2 connection at the server: SETTINGS, PING and GOAWAY, idle clients,
 * slow requests, age and end. Event loop only, except the methods of
 * {@link ActiveConnection}.
 */
final class Http2ServerProtocol implements ActiveConnection, MaxConnectionAge.AgingConnection, ClientIdentity.Listener {

	/** Last stream id of GOAWAY while streams are still served. */
	private static final int ALL_STREAMS = Integer.MAX_VALUE;

	/** Data of the PING between the two GOAWAY. */
	private static final long GOAWAY_PING = 0x676f617761790000L;

	/** Data of the PING that asks an idle client for a sign of life. */
	private static final long IDLE_PING = 0x69646c6500000000L;

	/** Id from which on a connection is replaced: ids end at 2^31. */
	private static final int LAST_USUAL_ID = 1 << 30;

	/** Longest wait for the acknowledgement of the PING between the two GOAWAY. */
	private static final int GOAWAY_MILLIS = 1000;

	private static final int OVERDUE_MILLIS = 5000;

	/** Longest wait for the write of GOAWAY when the connection is closed at once. */
	private static final int LONGEST_FLUSH_MILLIS = 50;

	/** Attachments of responses, in bytes, that usual clients accept. */
	private static final int USUAL_ATTACHMENTS = 4096;

	private final Connection connection;

	private final Http2ServerConnection calls;

	private final ServerResources server;

	private final Http2Output output;

	final ServerConnectionDrain drain;

	private final IdleMonitor idle;

	private final MaxConnectionAge age;

	private final ClientIdentity identity;

	final RequestCallers callers;

	private final ResponseProgress progress;

	private final MinDataRateMonitor leastRate;

	private boolean settingsSeen;

	/** True once the first GOAWAY was sent. */
	private boolean leaving;

	/** Highest id of a stream that is served once the second GOAWAY was sent. */
	private int servedStreams = Integer.MAX_VALUE;

	/** True once the second GOAWAY is written. */
	private boolean hasLeft;

	/** Completes then, when the requests of all served streams have arrived. */
	private final CompletableFuture<Void> left = new CompletableFuture<>();

	/** Number of SETTINGS that the client has not acknowledged. */
	private int unknownSettings;

	private final PingLimiter pings = new PingLimiter();

	private @Nullable Future<?> overdueTimer;

	/** Written by the event loop. */
	private volatile int maxAttachments = USUAL_ATTACHMENTS;

	/** Connection as listeners see it; null before SETTINGS. */
	private @Nullable ConnectionNotifier listened;

	Http2ServerProtocol(Connection connection, Http2ServerConnection calls, ServerResources server) {
		this.connection = connection;
		this.calls = calls;
		this.server = server;
		this.output = calls.output;
		this.drain = new ServerConnectionDrain(connection, server.log, this.output::afterFlush);
		this.idle = new IdleMonitor(connection, server.options, calls::hasCalls, this.output::blockedBytes,
				this::shrinkLimit, () -> this.output.control((writer, out) -> writer.ping(out, IDLE_PING)),
				this::closeWithError);
		this.age = new MaxConnectionAge(this, connection.loop(), Options.nanos(server.options.connectionAge),
				Options.nanos(server.options.connectionAgeGrace), System::nanoTime);
		this.identity = new ClientIdentity(connection, server.access, InstantSource.system(), System::nanoTime, this);
		this.callers = new RequestCallers(server.recorder);
		this.progress = new ResponseProgress(connection, calls.unsent(),
				() -> this.output.sent()
						+ (this.output.blocked.waitsForWindow() ? 0 : connection.queue().completedWrites()),
				this.output.blocked::dropExpired, this::closeAtOnce);
		this.leastRate = new MinDataRateMonitor(connection, server.options.memory.leastRate(), calls.memory,
				this::closeAtOnce);
	}

	@Override
	public void identified(CallerProof proof) {
		this.calls.responder.identified(proof);
		if (this.listened != null) {
			this.listened.identified(proof.identity);
		}
	}

	@Override
	public void refused(AccessDenial why) {
		throw new IllegalStateException("a connection of HTTP/2 has no credentials");
	}

	@Override
	public void certificateEnded() {
		this.drain.warn("Connection ends", CERTIFICATE_ENDED, CERTIFICATE_ENDED);
		this.age.end(CERTIFICATE_ENDED);
	}

	/** Registers the connection, sends SETTINGS and waits for those of the client. */
	void onOpen() {
		this.server.connections.add(this);
		this.identity.introduced();
		this.connection.watchGaps();
		this.idle.awaitIntroduction("SETTINGS");
		this.calls.limit.open();
		send(limits().set(Http2Settings.MAX_HEADER_LIST_SIZE, this.calls.frames.maxHeaderList())
			.set(Http2Settings.INITIAL_WINDOW_SIZE, InboundStream.WINDOW));
		this.output.windowUpdate(0, Http2ServerFrames.WINDOW - Http2Settings.DEFAULT_WINDOW_SIZE);
	}

	private void send(Http2Settings settings) {
		this.unknownSettings++;
		this.output.control((writer, out) -> writer.settings(out, settings));
	}

	private Http2Settings limits() {
		return new Http2Settings().set(Http2Settings.MAX_CONCURRENT_STREAMS, this.calls.limit.limit());
	}

	/** Tells the client how many streams it may have open. */
	void announceLimit() {
		send(limits());
	}

	private void shrinkLimit() {
		if (this.calls.limit.shrink()) {
			announceLimit();
		}
	}

	void onSettings(Http2Settings settings) {
		long list = settings.get(Http2Settings.MAX_HEADER_LIST_SIZE, -1);
		if (list >= 0) {
			this.maxAttachments = (int) Math.min(list / 2, this.server.options.maxAttachments);
		}
		if (this.settingsSeen) {
			return;
		}
		this.settingsSeen = true;
		this.connection.ready();
		this.server.recorder.connectionOpened(this.connection.remote(), "", this.connection.ageNanos());
		this.idle.watch();
		CallerIdentity identity = this.calls.responder.caller().identity;
		this.listened = ConnectionNotifier.connected(this.server.options.connectionListeners, this.server.listeners,
				Side.SERVER, Protocol.GRPC, this.connection.remote(), "", identity);
		this.callers.count(identity);
		this.age.begins(ThreadLocalRandom.current()::nextDouble);
		this.overdueTimer = this.connection.loop().schedule(this::endOverdue, OVERDUE_MILLIS, TimeUnit.MILLISECONDS);
		if (this.server.isDraining) { // the shutdown does not wait for its streams
			stopStreams();
		}
	}

	/** Notes the name of the application, which the first request tells. */
	void onApplication(String name) {
		this.server.onApplication(this.connection.isEncrypted(), name);
		if (this.listened != null) {
			this.listened.named(name);
		}
	}

	private void endOverdue() {
		this.calls.endOverdue();
		this.overdueTimer = this.connection.loop().schedule(this::endOverdue, OVERDUE_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** Answers a PING, unless the client sends too many. */
	void onPing(long data) {
		this.pings.onPing(this.calls.frames.readNanos(),
				this.calls.frames.closed.last() + this.calls.frames.received() + this.output.sent());
		this.output.onPing(data);
	}

	void onPingAck(long data) {
		if (data == GOAWAY_PING && this.leaving) {
			stopStreams();
		}
	}

	/** Every value is such that the client may learn it late. */
	void onSettingsAck() {
		this.unknownSettings = Math.max(0, this.unknownSettings - 1);
	}

	/** Returns true if the client knows how many streams it may have open. */
	boolean isLimitKnown() {
		return this.unknownSettings == 0;
	}

	/** Replaces the connection before its ids end. */
	void onStreamId(int streamId) {
		if (streamId > LAST_USUAL_ID) {
			this.age.expire();
		}
	}

	/** Notes that the client reads responses. */
	void onWindowUpdate() {
		if (this.output.raised() >= ReceiveWindow.SHARE && this.output.sent() > 0) {
			this.progress.onResultsTaken();
		}
	}

	/** Watches the rate of a long request from now on. */
	void watchRate() {
		this.leastRate.watch();
	}

	/** Returns true if new streams are not served any more. */
	boolean ignoresStreams() {
		return this.drain.goingAway;
	}

	@Override
	public CompletableFuture<Void> goAway() {
		boolean alive = this.connection.execute(() -> {
			if (!this.settingsSeen || this.drain.closed) {
				this.left.complete(null);
				return;
			}
			leave(this.server.whyGoAway);
		});
		if (!alive) {
			this.left.complete(null);
		}
		return this.left;
	}

	/**
	 * Ends the connection in two steps (RFC 9113, section 6.8): the client opens no new
	 * streams, then those are known that it had opened meanwhile.
	 */
	private void leave(String why) {
		if (this.leaving || this.drain.goingAway) { // a later id must not be higher
			return;
		}
		this.leaving = true;
		announceLeave(why);
		this.output.control((writer, out) -> writer.ping(out, GOAWAY_PING));
		this.connection.loop().schedule(this::stopStreams, GOAWAY_MILLIS, TimeUnit.MILLISECONDS);
	}

	private void announceLeave(String why) {
		this.connection.goesAway();
		this.output.control((writer, out) -> writer.goAway(out, ALL_STREAMS, Http2Error.NO_ERROR, why));
	}

	/** Serves no streams that arrive from now on. */
	private void stopStreams() {
		if (this.drain.goingAway) {
			return;
		}
		this.connection.goesAway();
		this.drain.start();
		int last = lastServed();
		this.servedStreams = last;
		String why = Objects.requireNonNullElse(this.age.whyEnding(), this.server.whyGoAway);
		this.output.control((writer, out) -> writer.goAway(out, last, Http2Error.NO_ERROR, why), () -> {
			this.hasLeft = true;
			onStreamEnded();
		});
	}

	/** Returns the highest id of a stream that is served. */
	private int lastServed() {
		return Math.min(this.servedStreams, this.calls.frames.closed.last());
	}

	/**
	 * Reports that no call is added: the client knows which streams are served, and the
	 * requests of these have arrived.
	 */
	void onStreamEnded() {
		if (this.hasLeft && !this.left.isDone() && !this.calls.awaitsRequests()) {
			this.left.complete(null);
		}
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
		return this.calls.streams.size() > 0;
	}

	@Override
	public long lastCall() {
		return this.calls.frames.closed.last();
	}

	@Override
	public void requestReplacement() {
		announceLeave(MaxConnectionAge.AGED);
	}

	@Override
	public void announceGoAway() {
		stopStreams();
	}

	@Override
	public void closeGracefully() {
		this.drain.closeAfterFlush();
	}

	/** Closes the connection with GOAWAY, because of a fault of the client. */
	void onConnectionError(Http2Exception error) {
		if (this.drain.closed || this.drain.problem != null) {
			return;
		}
		String fault = String.valueOf(error.getMessage());
		this.drain.rejectAll(fault);
		this.drain.warn("Connection closed", fault);
		int last = lastServed();
		this.output.control((writer, out) -> writer.goAway(out, last, error.error(), fault));
		this.drain.closeAfterFlush();
	}

	@Override
	public void closeWithError(String why) {
		closeWithError(why, this.drain::closeAfterFlush);
	}

	/**
	 * Closes the connection, and does not wait for its client: others need its memory.
	 */
	private void closeAtOnce(String why) {
		closeWithError(why, () -> {
			this.output.afterFlush(this.connection::close);
			this.connection.loop().schedule(this.connection::close, LONGEST_FLUSH_MILLIS, TimeUnit.MILLISECONDS);
		});
	}

	private void closeWithError(String why, Runnable close) {
		if (this.drain.closed || this.drain.problem != null) {
			return;
		}
		int last = lastServed();
		this.output.control((writer, out) -> writer.goAway(out, last, Http2Error.NO_ERROR, why));
		this.drain.rejectAll(why);
		this.drain.warn("Connection closed", why);
		close.run();
	}

	/** Releases all memory, whatever fails on the way. */
	void onClosed(@Nullable Throwable cause) {
		this.drain.closed = true;
		this.server.connections.remove(this);
		this.left.complete(null);
		if (this.age.isOld()) {
			this.server.counts.aged.increment();
		}
		try {
			this.identity.close();
			this.idle.stop();
			this.age.stop();
			this.progress.stop();
			this.leastRate.stop();
			if (this.overdueTimer != null) {
				this.overdueTimer.cancel(false);
			}
			this.calls.abandonStreams();
		}
		finally {
			this.calls.memory.close();
			this.calls.limit.close();
		}
		String why = whyClosed(cause);
		if (this.settingsSeen) {
			this.server.recorder.connectionClosed(this.connection.remote(), this.calls.frames.application(), why,
					this.connection.ageNanos());
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

	/** Returns the connection as listeners see it, null before SETTINGS. */
	@Nullable RpcConnection listened() {
		return this.listened;
	}

	ResponseProgress progress() {
		return this.progress;
	}

	/** Returns the bytes of attachments that the client accepts. Any thread. */
	int maxAttachments() {
		return this.maxAttachments;
	}

	/** Returns true if responses are compressed for clients that read them. */
	boolean compresses() {
		return this.server.options.grpc.compression() == GrpcOptions.Compression.GZIP;
	}

	@Override
	public ConnectionInfo describe() {
		int used = Http2Stream.number(this.calls.frames.closed.last());
		int open = this.calls.streams.size();
		CallTotals totals = new CallTotals(used + this.calls.limit.limit() - open, used, this.calls.frames.received(),
				this.calls.frames.received(), open, 0, this.calls.memory.reserved() + this.calls.unsent().get());
		CallerIdentity proved = this.callers.last(ConnectionNotifier.identity(this.listened));
		return this.connection.describe(proved, this.calls.frames.application(), this.server.options.batching.mode(),
				totals);
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
