package io.rpcboot.internal.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.net.AddressRange;
import io.rpcboot.internal.net.ClientNetwork;
import io.rpcboot.internal.transport.PerAddressLimit.Slot;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the address of a client whether its connection is served: by the lists of
 * addresses, then by the number of its connections. A proxy tells the address of its
 * client after the connection is accepted. Any thread.
 */
public final class ConnectionAdmission {

	private final List<AddressRange> allowed;

	private final List<AddressRange> denied;

	private final List<AddressRange> proxies;

	private final PerAddressLimit limit;

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.transport", System::nanoTime);

	/**
	 * Creates an admission.
	 * @param allowed addresses and ranges that are served; empty for all
	 * @param denied addresses and ranges that are not served, also if they are allowed
	 * @param proxies addresses and ranges that send headers of the PROXY protocol
	 * @param limit bounds the connections per address
	 */
	public ConnectionAdmission(List<String> allowed, List<String> denied, List<String> proxies, PerAddressLimit limit) {
		this.allowed = AddressRange.parseAll("address-filter.allow", allowed);
		this.denied = AddressRange.parseAll("address-filter.deny", denied);
		this.proxies = AddressRange.parseAll("proxy-protocol.from", proxies);
		this.limit = limit;
	}

	/** Returns true if the address belongs to a proxy, whose client is not known yet. */
	boolean isProxy(@Nullable SocketAddress remote) {
		InetAddress address = address(remote);
		return address != null && AddressRange.contain(this.proxies, address);
	}

	private static @Nullable InetAddress address(@Nullable SocketAddress remote) {
		return (remote instanceof InetSocketAddress inet) ? inet.getAddress() : null;
	}

	/** Takes a slot. Returns null, and logs why, if the client is not served. */
	@Nullable Slot admit(@Nullable SocketAddress remote) {
		InetAddress address = address(remote);
		if (address != null && AddressRange.contain(this.denied, address)) {
			refused("rpc.server.address-filter.deny has " + address.getHostAddress());
			return null;
		}
		if (address != null && !this.allowed.isEmpty() && !AddressRange.contain(this.allowed, address)) {
			refused("rpc.server.address-filter.allow does not have " + address.getHostAddress());
			return null;
		}
		Slot slot = this.limit.enter(remote);
		if (slot == null) {
			refused(("rpc.server.limits.connections-per-address: %s has %d connections open (expected: at most %d);"
					+ " raise it if many clients share this address, as behind NAT or a proxy, or set it to 0 for no limit")
				.formatted((address != null) ? ClientNetwork.of(address) : remote, this.limit.most(),
						this.limit.most()));
		}
		return slot;
	}

	/** Logs why a client is not served. */
	void refused(String why) {
		this.log.warn("Connection refused", why);
	}

}
