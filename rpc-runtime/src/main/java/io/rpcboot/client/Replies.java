package io.rpcboot.client;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.rpcboot.internal.memory.IncomingGrant;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.Connection;
import io.rpcboot.internal.transport.LeastRate;
import io.rpcboot.internal.transport.WindowFrame;

/**
 * The replies that a server may send on a connection, in bytes, and those that callers
 * have taken. Stands beside client connection. Event loop only, but for what says
 * otherwise.
 */
final class Replies {

	/** What a server may send ahead, if it is there. */
	private static final long MOST_AHEAD = 64 * 1024 * 1024;

	private final Connection connection;

	private final IncomingGrant grant;

	private final WindowFrame window;

	private final LeastRate leastRate;

	private final int maxFrameSize;

	/** Bytes that callers have taken and the grant does not know of. */
	private final AtomicLong taken = new AtomicLong();

	/** So many of them are worth a look of the event loop. */
	private volatile long worthWhile = 1;

	Replies(Connection connection, ClientRuntime client, Consumer<String> end) {
		this.connection = connection;
		this.maxFrameSize = client.options().maxFrameSize;
		this.grant = new IncomingGrant(client.memory().account(), MOST_AHEAD, () -> connection.execute(this::admitted));
		this.window = new WindowFrame(connection.queue());
		this.leastRate = new LeastRate(connection, client.options().memory.leastRate(), this.grant::isOwed, end);
	}

	/** The server may send. */
	void open() {
		this.grant.open();
		announce();
	}

	private void announce() {
		this.worthWhile = this.grant.untilRaise();
		this.window.announce(0, this.grant.granted());
	}

	/** A body has arrived. Returns false if it was not granted. */
	boolean takes(int size) {
		return this.grant.takes(size);
	}

	/** A long body has begun. */
	void expect(int size) {
		if (!this.grant.covers(size)) {
			throw new ProtocolException("a body of %d bytes that was not granted".formatted(size));
		}
		this.leastRate.watch();
	}

	/** Bytes need no room any more. Any thread. */
	void taken(long bytes) {
		long all = this.taken.addAndGet(bytes);
		if (all >= this.worthWhile && all - bytes < this.worthWhile) {
			this.connection.execute(this::release);
		}
	}

	private void release() {
		if (this.grant.release(this.taken.getAndSet(0))) {
			this.grant.raise();
			announce();
		}
		this.worthWhile = this.grant.untilRaise();
	}

	/** What the server needed is reserved. */
	private void admitted() {
		if (this.grant.admit()) {
			this.leastRate.watch();
			announce();
		}
	}

	/** The server needs a higher grant for its next frame. */
	void need(long total) {
		long before = this.grant.granted();
		if (total < 0 || total - before > this.maxFrameSize) {
			throw new ProtocolException("NEED: %d (expected: at most the %d granted and max-frame-size, which is %d)"
				.formatted(total, before, this.maxFrameSize));
		}
		this.grant.need(total);
		if (this.grant.granted() > before) {
			this.leastRate.watch();
			announce();
		}
	}

	/** The server gives back a part of its grant. */
	void yield(long total) {
		if (!this.grant.yield(total)) {
			throw new ProtocolException(
					"YIELD: %d (expected: at most the %d granted)".formatted(total, this.grant.granted()));
		}
		announce();
	}

	/** The connection has ended. */
	void close() {
		this.leastRate.stop();
		this.grant.close();
	}

}
