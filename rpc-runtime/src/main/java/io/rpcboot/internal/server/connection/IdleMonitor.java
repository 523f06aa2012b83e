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
 * Ends a connection whose other side is gone, never introduces itself, or reads no
 * answers. Event loop only.
 */
final class IdleMonitor {

	/** Between two looks at the clock: far above any client's need. */
	private static final int MAX_PINGS = 1000;

	private final Connection connection;

	private final ServerOptions options;

	private final BooleanSupplier busy;

	private final LongSupplier blockedReplyBytes;

	private final Runnable yieldUnused;

	private final Consumer<String> end;

	private @Nullable Future<?> timer;

	private boolean silent;

	private long lastBacklog;

	private long lastWrites;

	private long lastHeldBack = -1;

	private int pings;

	/**
	 * Create signs.
	 * @param busy whether calls are under way
	 * @param heldBack bytes of replies sent so far while some wait for the client's
	 * grant, -1 while none does
	 * @param unused gives back what the client granted and is not used
	 * @param end ends the connection
	 */
	IdleMonitor(Connection connection, ServerOptions options, BooleanSupplier busy, LongSupplier heldBack,
			Runnable unused, Consumer<String> end) {
		this.connection = connection;
		this.options = options;
		this.busy = busy;
		this.blockedReplyBytes = heldBack;
		this.yieldUnused = unused;
		this.end = end;
	}

	/** The connection is open: its HELLO has a limited time. */
	void awaitHello() {
		long nanos = Options.nanos(this.options.handshakeTimeout);
		this.timer = this.connection.loop()
			.schedule(
					() -> this.end
						.accept("no HELLO within handshake-timeout, which is " + this.options.handshakeTimeout),
					nanos, TimeUnit.NANOSECONDS);
	}

	/** HELLO was seen: look twice in each idle timeout. */
	void watch() {
		stop();
		long nanos = Options.nanos(this.options.idleTimeout) / 2;
		this.timer = this.connection.loop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
	}

	private void check() {
		boolean active = this.connection.takeActivity() || this.busy.getAsBoolean();
		long backlog = this.connection.backlog();
		if (!active && this.silent) {
			this.end.accept("nothing arrived for idle-timeout, which is " + this.options.idleTimeout);
			return;
		}
		long sent = this.blockedReplyBytes.getAsLong();
		long writes = this.connection.queue().completedWrites();
		// a stream of answers may fill the socket at each look, and move all the same
		boolean readsNothing = backlog > 0 && this.lastBacklog > 0 && backlog >= this.lastBacklog
				&& writes == this.lastWrites;
		boolean grantsNothing = sent >= 0 && sent == this.lastHeldBack;
		if (grantsNothing || readsNothing) {
			this.end
				.accept("its client reads no answers for half of idle-timeout, which is " + this.options.idleTimeout);
			return;
		}
		this.silent = !active;
		this.lastBacklog = backlog;
		this.lastWrites = writes;
		this.lastHeldBack = sent;
		this.pings = 0;
		this.yieldUnused.run();
		watch();
	}

	void onPing() {
		if (++this.pings > MAX_PINGS) {
			throw new ProtocolException("too many PING frames");
		}
	}

	/** The connection is closed. */
	void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
