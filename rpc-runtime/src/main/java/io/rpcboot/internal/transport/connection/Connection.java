package io.rpcboot.internal.transport.connection;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.internal.transport.write.WriteBatch;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection with its write queue and its protocol. Any thread, unless a method
 * says otherwise.
 */
public final class Connection {

	private final Channel channel;

	private final WriteQueue queue;

	private final String remote;

	@SuppressWarnings("NullAway.Init")
	private InboundHandler handler;

	/** Number of reads at the last call of {@link #takeActivity()}. */
	private int readsBefore;

	private volatile boolean closedHere;

	private volatile State state = State.OPENING;

	/** 1 after GO_AWAY was sent or received, else 0. Written by the event loop. */
	private volatile int goAways;

	private final long bornNanos = System.nanoTime();

	private Connection(Channel channel, String remote, WriteQueue queue) {
		this.channel = channel;
		this.remote = remote;
		this.queue = queue;
	}

	/**
	 * Creates a connection and adds its handler to the pipeline. Event loop only.
	 * @param protocol creates the handler of received bytes
	 */
	public static Connection install(Channel channel, String remote, FlushPolicy policy,
			@Nullable TransportRecorder recorder, Function<Connection, InboundHandler> protocol) {
		if (Thread.currentThread() instanceof EventLoopThread) {
			EventLoopThread.pulse().start(channel.eventLoop());
		}
		WriteQueue queue = new WriteQueue(channel, policy, recorder);
		Connection connection = new Connection(channel, remote, queue);
		connection.handler = protocol.apply(connection);
		channel.pipeline().addLast(connection.handler);
		return connection;
	}

	/**
	 * Returns the write queue, the only way to write.
	 * @return the queue
	 */
	public WriteQueue queue() {
		return this.queue;
	}

	/**
	 * Sets the protocol, once it is known. Event loop only.
	 * @param protocol handles the received bytes from now on
	 */
	public void speaks(InboundHandler protocol) {
		this.handler = protocol;
	}

	/**
	 * Writes bytes past the write queue, then ends the output. Event loop only, and only
	 * before the protocol is known.
	 * @param last the only bytes of this side
	 */
	public void closeAfter(byte[] last) {
		this.channel.writeAndFlush(Unpooled.wrappedBuffer(last)).addListener((written) -> halfClose());
		loop().schedule(this::close, 1, TimeUnit.SECONDS);
	}

	/** Returns true if the connection uses TLS. */
	public boolean isEncrypted() {
		return this.channel.pipeline().get(SslHandler.class) != null;
	}

	/**
	 * Returns true if no other process can read the bytes: the connection uses TLS, or
	 * has no socket.
	 */
	public boolean isPrivate() {
		return isEncrypted() || this.channel instanceof LocalChannel;
	}

	/** Runs a task once TLS protects the connection. Event loop only. */
	public void afterTls(Runnable task) {
		SslHandler tls = this.channel.pipeline().get(SslHandler.class);
		if (tls != null) {
			tls.handshakeFuture().addListener((done) -> {
				if (done.isSuccess()) {
					task.run();
				}
			});
		}
	}

	/**
	 * Returns the identity in the certificate of the peer, after the TLS handshake. Event
	 * loop only.
	 */
	public CallerIdentity certified() {
		SslHandler tls = this.channel.pipeline().get(SslHandler.class);
		return (tls != null) ? TlsContext.identity(tls.engine().getSession()) : CallerIdentity.anonymous();
	}

	/** Returns true if the peer is a client that needs a certificate. Event loop only. */
	public boolean needsCertificate() {
		SslHandler tls = this.channel.pipeline().get(SslHandler.class);
		return tls != null && tls.engine().getNeedClientAuth();
	}

	/** Returns the protocol, null while it is unknown. Event loop only. */
	public @Nullable Protocol protocol() {
		return this.handler.protocol();
	}

	/** Phase of a connection. */
	public enum State {

		/** The socket is connecting, or the handshake is not complete. */
		OPENING,

		/** The connection takes calls. */
		READY,

		/**
		 * The connection completes its calls; it takes new calls at most until another
		 * connection replaces it.
		 */
		LEAVING

	}

	public State state() {
		return this.state;
	}

	public int goAways() {
		return this.goAways;
	}

	/** Marks the handshake as complete. Event loop only. */
	public void ready() {
		if (this.state == State.OPENING) {
			this.state = State.READY;
		}
	}

	/** Marks the connection as taking no new calls. */
	public void leaves() {
		this.state = State.LEAVING;
	}

	/** Marks that GO_AWAY was sent or received. Event loop only. Idempotent. */
	public void goesAway() {
		this.goAways = 1;
		leaves();
	}

	/**
	 * Returns the age, counted from the moment before the socket connects.
	 * @return nanoseconds
	 */
	public long ageNanos() {
		return System.nanoTime() - this.bornNanos;
	}

	/** Timers of a connection. */
	public interface Timers {

		/**
		 * Schedules a task on the event loop. An exception of the task closes the
		 * connection.
		 * @param task may use state of the event loop
		 * @param delay time until the task runs
		 * @param unit unit of the delay
		 * @return cancels the task
		 */
		ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit);

	}

	/** Reports gaps of the event loop to the listener from now on. Event loop only. */
	public void watchGaps() {
		EventLoopThread.pulse().watchGaps();
	}

	/**
	 * Returns the timers of the event loop.
	 * @return schedules tasks
	 */
	public Timers loop() {
		return (task, delay, unit) -> this.channel.eventLoop().schedule(() -> run(task), delay, unit);
	}

	/**
	 * Runs a task. A failure closes the connection: the task may not have set a timer.
	 */
	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			if (!(ex instanceof Error)) { // the decoder logs errors
				ResilientEventLoops.logSurvived("Task of a connection", ex);
			}
			this.channel.pipeline().fireExceptionCaught(ex);
		}
	}

	/**
	 * Runs a task on the event loop.
	 * @param task may use state of the event loop
	 * @return false if the connection ends, because its loop has ended
	 */
	public boolean execute(Runnable task) {
		try {
			this.channel.eventLoop().execute(() -> run(task));
			return true;
		}
		catch (Throwable ex) {
			this.channel.close();
			return false;
		}
	}

	/** Runs a task on the event loop: now if the caller is on it. Any thread. */
	public void executeNow(Runnable task) {
		if (this.channel.eventLoop().inEventLoop()) {
			run(task);
		}
		else {
			execute(task);
		}
	}

	/**
	 * Returns the address of the peer.
	 * @return host and port
	 */
	public String remote() {
		return this.remote;
	}

	/**
	 * Returns true if bytes arrived since the last call. Event loop only.
	 * @return false for a quiet connection
	 */
	public boolean takeActivity() {
		int now = this.handler.reads();
		boolean result = now != this.readsBefore;
		this.readsBefore = now;
		return result;
	}

	/**
	 * Returns the number of reads. Any thread may get an older number.
	 * @return changes with each read of the socket
	 */
	public int reads() {
		return this.handler.reads();
	}

	/**
	 * Returns true while a large body is incomplete. Event loop only.
	 * @return false between bodies
	 */
	public boolean isInBody() {
		return this.handler.isInBody();
	}

	/** Returns the begin of the incomplete body, 0 if there is none. Event loop only. */
	public long bodyBeganNanos() {
		return this.handler.bodyBeganNanos();
	}

	/** Returns the bytes of the incomplete body that have arrived. Event loop only. */
	public int bodyBytes() {
		return this.handler.bodyBytes();
	}

	/**
	 * Returns how many bytes must be sent before the socket takes more. Event loop only.
	 * @return 0 while the socket takes more
	 */
	public long backlog() {
		return this.channel.isWritable() ? 0 : this.channel.bytesBeforeWritable();
	}

	/**
	 * Returns true if this side has closed the connection or has begun to.
	 * @return false while it is open, and if the peer closed it
	 */
	public boolean isClosedHere() {
		return this.closedHere;
	}

	/** Closes the connection now; queued frames are rejected. */
	public void close() {
		this.closedHere = true;
		this.channel.close();
	}

	/**
	 * Ends sending, and reads until the peer closes, so that the peer can read all sent
	 * bytes.
	 */
	public void halfClose() {
		if (this.channel instanceof DuplexChannel duplex) {
			this.closedHere = true;
			SslHandler tls = this.channel.pipeline().get(SslHandler.class);
			if (tls != null) {
				executeNow(() -> closeOutbound(tls, duplex));
			}
			else {
				duplex.shutdownOutput();
			}
		}
		else {
			close();
		}
	}

	/** Ends TLS, then the output, unless the connection was closed meanwhile. */
	private static void closeOutbound(SslHandler tls, DuplexChannel channel) {
		if (channel.isActive()) {
			tls.closeOutbound().addListener((notified) -> channel.shutdownOutput());
		}
	}

	/**
	 * Returns a snapshot of this connection. Its numbers are plain fields of the event
	 * loop: they may be out of date and disagree by some frames, and no decision uses
	 * them.
	 * @param proved identity of the peer, anonymous before the handshake
	 * @param application name of the peer, empty for none
	 * @param batching mode of flushing
	 * @param calls totals of this side
	 * @return a snapshot
	 */
	public ConnectionInfo describe(CallerIdentity proved, String application, BatchingOptions.Mode batching,
			CallTotals calls) {
		String identity = proved.isAuthenticated() ? proved.getName() : "";
		WriteBatch batch = this.queue.batch;
		Map<FlushReason, Long> flushes = new EnumMap<>(FlushReason.class);
		for (FlushReason reason : FlushReason.values()) {
			flushes.put(reason, batch.flushes[reason.ordinal()]);
		}
		return new ConnectionInfo(this.remote, protocol(), application, identity, isEncrypted(), batching,
				Math.round(batch.averageMessages * 100) / 100d, batch.allMessages, calls.grantedCalls(),
				calls.usedCalls(), calls.grantedBytes(), calls.usedBytes(), calls.pending(),
				this.queue.blocked.size() + calls.held(), flushes, batch.stalls, reads(), calls.memoryBytes());
	}

	@Override
	public String toString() {
		return this.remote;
	}

}
