package io.rpcboot.internal.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

import io.netty.util.NetUtil;

/**
 * Name of what counts as one client where something is limited for each client: an IPv4
 * address, or the first 64 bits of an IPv6 address, because a host usually owns all
 * addresses of such a network and may use a new one for each connection. Any thread.
 */
public final class ClientNetwork {

	private static final int IPV6_BYTES = 16;

	private static final String SUFFIX = "::/64";

	private ClientNetwork() {
	}

	/** Returns the network of an address. */
	public static String of(InetAddress address) {
		return (address instanceof Inet6Address) ? ipv6(address.getAddress()) : address.getHostAddress();
	}

	/**
	 * Returns the network of a client.
	 * @param remote its address and port as in {@code 10.0.0.1:5000} or
	 * {@code [2001:db8::1]:5000}; another text stands for itself
	 */
	public static String of(String remote) {
		int port = remote.lastIndexOf(':');
		String host = (port > 0) ? remote.substring(0, port) : remote;
		byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
		return (bytes != null && bytes.length == IPV6_BYTES) ? ipv6(bytes) : host;
	}

	/**
	 * Returns the groups of a network that take turns: its parent, which is the first 48
	 * bits of an IPv6 address, because a site may own all networks in it, then itself.
	 * @param network as {@link #of} returns it
	 */
	public static List<String> turns(String network) {
		int end = network.endsWith(SUFFIX) ? network.lastIndexOf(':', network.length() - SUFFIX.length() - 1) : -1;
		return (end > 0) ? List.of(network.substring(0, end) + "::/48", network) : List.of(network, network);
	}

	private static String ipv6(byte[] address) {
		ByteBuffer bytes = ByteBuffer.wrap(address);
		return "%x:%x:%x:%x%s".formatted(bytes.getShort(), bytes.getShort(), bytes.getShort(), bytes.getShort(),
				SUFFIX);
	}

}
