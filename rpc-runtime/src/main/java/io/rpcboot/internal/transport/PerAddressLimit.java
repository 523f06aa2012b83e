package io.rpcboot.internal.transport;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.internal.net.ClientNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Limits the open connections per remote address, or per network of IPv6 addresses. Any
 * thread.
 */
public final class PerAddressLimit {

	static final Slot UNCOUNTED = new Slot(() -> {
	});

	private final int most;

	/** Open connections by network. */
	private final Map<String, Integer> open = new ConcurrentHashMap<>();

	/**
	 * Creates a limit.
	 * @param most largest number of connections per address, 0 for no limit
	 */
	public PerAddressLimit(int most) {
		this.most = most;
	}

	/** Slot of one connection. */
	static final class Slot {

		private final AtomicBoolean left = new AtomicBoolean();

		private final Runnable leave;

		Slot(Runnable leave) {
			this.leave = leave;
		}

		/** Frees the slot when the connection is closed. Idempotent. */
		void leave() {
			if (this.left.compareAndSet(false, true)) {
				this.leave.run();
			}
		}

	}

	int most() {
		return this.most;
	}

	/** Takes a slot. Returns null if the address has none left. */
	@Nullable Slot enter(@Nullable SocketAddress remote) {
		if (this.most == 0 || !(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
			return UNCOUNTED;
		}
		String key = ClientNetwork.of(inet.getAddress());
		Slot slot = new Slot(() -> this.open.computeIfPresent(key, (address, count) -> (count > 1) ? count - 1 : null));
		int[] before = new int[1];
		this.open.compute(key, (address, count) -> {
			before[0] = (count != null) ? count : 0;
			return Math.min(this.most, before[0] + 1);
		});
		return (before[0] < this.most) ? slot : null;
	}

	/** Returns the number of addresses with open connections. */
	int addresses() {
		return this.open.size();
	}

}
