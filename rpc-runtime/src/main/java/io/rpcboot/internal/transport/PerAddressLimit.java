package io.rpcboot.internal.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * How many connections each remote address has open. IPv6 addresses count by their first
 * 64 bits, because a host usually owns all addresses of such a network and may use a new
 * one for each connection. Any thread.
 */
public final class PerAddressLimit {

	private static final Slot UNCOUNTED = new Slot(() -> {
	});

	private final int most;

	/** By the 32 bits of IPv4 (Integer) or the first 64 of IPv6 (Long). */
	private final Map<Number, Integer> open = new ConcurrentHashMap<>();

	/**
	 * Create a limit.
	 * @param most connections of one address, 0 for no limit
	 */
	public PerAddressLimit(int most) {
		this.most = most;
	}

	/** The place of one connection. */
	static final class Slot {

		private final AtomicBoolean left = new AtomicBoolean();

		private final Runnable leave;

		Slot(Runnable leave) {
			this.leave = leave;
		}

		/** The connection is closed; twice does nothing. */
		void leave() {
			if (this.left.compareAndSet(false, true)) {
				this.leave.run();
			}
		}

	}

	int most() {
		return this.most;
	}

	/** Returns null if the address has as many as it may have. */
	@Nullable Slot enter(@Nullable SocketAddress remote) {
		if (this.most == 0 || !(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
			return UNCOUNTED;
		}
		Number key = key(inet.getAddress());
		Slot slot = new Slot(() -> this.open.computeIfPresent(key, (address, count) -> (count > 1) ? count - 1 : null));
		int[] before = new int[1];
		this.open.compute(key, (address, count) -> {
			before[0] = (count != null) ? count : 0;
			return Math.min(this.most, before[0] + 1);
		});
		return (before[0] < this.most) ? slot : null;
	}

	/** The addresses that have connections open. */
	int addresses() {
		return this.open.size();
	}

	private static Number key(InetAddress address) {
		ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
		if (address instanceof Inet6Address) {
			return bytes.getLong();
		}
		return bytes.getInt();
	}

	/** What is counted together, for people. */
	static String describe(@Nullable SocketAddress remote) {
		if (!(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
			return String.valueOf(remote);
		}
		if (!(inet.getAddress() instanceof Inet6Address)) {
			return inet.getAddress().getHostAddress();
		}
		ByteBuffer bytes = ByteBuffer.wrap(inet.getAddress().getAddress());
		return "%x:%x:%x:%x::/64".formatted(bytes.getShort(), bytes.getShort(), bytes.getShort(), bytes.getShort());
	}

}
