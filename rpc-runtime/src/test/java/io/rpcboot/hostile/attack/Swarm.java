package io.rpcboot.hostile.attack;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Keeps a number of hostile connections open: one that has ended is replaced by another.
 * All of them are served by the thread that runs it.
 */
public final class Swarm {

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** A busy machine may leave attackers nothing for a while. */
	private static final long FIRST_CONNECTION_NANOS = TimeUnit.SECONDS.toNanos(20);

	private static final int CHUNK = 64 * 1024;

	private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK);

	private final List<HostileConnection> open = new ArrayList<>();

	private final SocketAddress victim;

	private final Supplier<Role> roles;

	private final int connections;

	private final int newPerSecond;

	private final AttackCounts counts;

	private long nextConnectNanos;

	/**
	 * Create a swarm.
	 * @param roles what each new connection plays
	 * @param connections open at the same time
	 * @param newPerSecond most that are opened in a second
	 */
	public Swarm(SocketAddress victim, Supplier<Role> roles, int connections, int newPerSecond, AttackCounts counts) {
		this.victim = victim;
		this.roles = roles;
		this.connections = connections;
		this.newPerSecond = newPerSecond;
		this.counts = counts;
	}

	/**
	 * Attack, then end all.
	 * @param nanos from the first connection on
	 */
	public void run(long nanos) throws IOException {
		try (Selector selector = Selector.open()) {
			this.nextConnectNanos = System.nanoTime();
			long nextLook = this.nextConnectNanos;
			long endNanos = this.nextConnectNanos + FIRST_CONNECTION_NANOS;
			boolean begun = false;
			while (System.nanoTime() < endNanos) {
				if (!begun && this.counts.total().connections() > 0) {
					begun = true;
					endNanos = System.nanoTime() + nanos;
				}
				selector.select((SelectionKey key) -> ((HostileConnection) key.attachment()).ready(),
						TimeUnit.NANOSECONDS.toMillis(LOOK_NANOS));
				long now = System.nanoTime();
				if (now >= nextLook) {
					nextLook = now + LOOK_NANOS;
					look(now);
				}
				connect(selector, now);
			}
		}
		finally {
			this.open.forEach(HostileConnection::end);
		}
	}

	private void look(long now) {
		this.open.removeIf(HostileConnection::isEnded);
		for (HostileConnection each : this.open) {
			if (!each.isFinishing()) {
				each.role().look(now);
			}
		}
	}

	private void connect(Selector selector, long now) {
		if (this.open.size() >= this.connections) {
			this.open.removeIf(HostileConnection::isEnded);
		}
		long pause = TimeUnit.SECONDS.toNanos(1) / this.newPerSecond;
		this.nextConnectNanos = Math.max(this.nextConnectNanos, now - RETRY_NANOS);
		while (this.open.size() < this.connections && this.nextConnectNanos <= now) {
			this.nextConnectNanos += pause;
			try {
				this.open.add(new HostileConnection(this.victim, selector, this.chunk, this.roles.get(), this.counts));
			}
			catch (IOException ex) {
				// no descriptor or no port is free: later
				this.nextConnectNanos = now + RETRY_NANOS;
			}
		}
	}

}
