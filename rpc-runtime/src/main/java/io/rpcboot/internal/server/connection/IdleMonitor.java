package io.rpcboot.internal.server.connection;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client is idle for the idle timeout, does not introduce
 * itself within the handshake timeout, or reads no responses for half of the idle
 * timeout. Event loop only.
 */
public final class IdleMonitor {

	/** Maximum PING frames in half of the idle timeout; clients need far fewer. */
	private static final int MAX_PINGS = 1000;

	private final Connection connection;

	private final ServerOptions options;

	private final BooleanSupplier busy;

	private final LongSupplier blockedReplyBytes;

	private final Consumer<Boolean> check;

	private final Consumer<String> end;

	private @Nullable Future<?> timer;

	/** True if nothing arrived before the last check. */
	private boolean silent;

	private long lastBacklog;

	private long lastWrites;

	private long lastBlockedReplyBytes = -1;

	private int pings;

	/**
	 * Creates a monitor that does nothing yet.
	 * @param busy returns true while calls are in flight
	 * @param blockedReplyBytes returns the total of response bytes sent while some are
	 * blocked by the window of the client, -1 while none is
	 * @param check called at each check that does not end the connection; true if nothing
	 * has arrived since the last one
	 * @param end closes the connection for a reason
	 */
	public IdleMonitor(Connection connection, ServerOptions options, BooleanSupplier busy,
			LongSupplier blockedReplyBytes, Consumer<Boolean> check, Consumer<String> end) {
		this.connection = connection;
		this.options = options;
		this.busy = busy;
		this.blockedReplyBytes = blockedReplyBytes;
		this.check = check;
		this.end = end;
	}

	/**
	 * Starts the time limit for the introduction of the client.
	 * @param frame name of the frame that it has to send
	 */
	public void awaitIntroduction(String frame) {
		long nanos = Math.max(0, Options.nanos(this.options.handshakeTimeout) - this.connection.ageNanos());
		this.timer = this.connection.loop()
			.schedule(() -> this.end.accept(
					"no " + frame + " within rpc.server.handshake-timeout, which is " + this.options.handshakeTimeout),
					nanos, TimeUnit.NANOSECONDS);
	}

	/**
	 * Checks twice in each idle timeout from now on: the client has introduced itself.
	 */
	public void watch() {
		stop();
		long nanos = Options.nanos(this.options.idleTimeout) / 2;
		this.timer = this.connection.loop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
	}

	private void check() {
		boolean active = this.connection.takeActivity() || this.busy.getAsBoolean();
		long backlog = this.connection.backlog();
		if (!active && this.silent) {
			this.end.accept("nothing arrived for rpc.server.idle-timeout, which is " + this.options.idleTimeout);
			return;
		}
		long sent = this.blockedReplyBytes.getAsLong();
		long writes = this.connection.queue().completedWrites();
		// a stream of responses may fill the socket at each check and still make progress
		boolean readsNothing = backlog > 0 && this.lastBacklog > 0 && backlog >= this.lastBacklog
				&& writes == this.lastWrites;
		boolean grantsNothing = sent >= 0 && sent == this.lastBlockedReplyBytes;
		if (grantsNothing || readsNothing) {
			this.end.accept("its client reads no answers for half of rpc.server.idle-timeout, which is "
					+ this.options.idleTimeout);
			return;
		}
		this.silent = !active;
		this.lastBacklog = backlog;
		this.lastWrites = writes;
		this.lastBlockedReplyBytes = sent;
		this.pings = 0;
		this.check.accept(!active);
		watch();
	}

	public void onPing() {
		if (++this.pings > MAX_PINGS) {
			throw new ProtocolException("too many PING frames");
		}
	}

	/** Stops the timer: the connection is closed. */
	public void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
