package io.rpcboot.server;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.registry.Registry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the host under which clients reach this server. */
final class AdvertisedAddress {

	private static final Logger logger = LoggerFactory.getLogger(AdvertisedAddress.class);

	private static final String LOOPBACK = "127.0.0.1";

	private AdvertisedAddress() {
	}

	static String choose(String advertised, String bind, @Nullable Registry registry) {
		boolean local = registry == null || registry.isLocal();
		if (!advertised.isEmpty()) {
			return check("advertised-address", advertised, local, registry);
		}
		if (!bind.isEmpty() && !resolve("bind-address", bind).isAnyLocalAddress()) {
			return check("bind-address", bind, local, registry);
		}
		if (local) {
			return LOOPBACK;
		}
		String host = firstReachable();
		logger.info("Advertising {}; set rpc.server.advertised-address for another", host);
		return host;
	}

	private static String check(String option, String host, boolean local, @Nullable Registry registry) {
		InetAddress address = resolve(option, host);
		if (address.isAnyLocalAddress() || (address.isLoopbackAddress() && !local)) {
			throw new RpcConfigurationException(
					"%s: '%s' is %s, which other hosts cannot connect to, but the registry is %s".formatted(option,
							host, address.isAnyLocalAddress() ? "a wildcard" : "a loopback address",
							(registry != null) ? registry.description() : "in this process"),
					"Set rpc.server.advertised-address to a host name or address that clients reach.");
		}
		return host;
	}

	private static InetAddress resolve(String option, String host) {
		try {
			return InetAddress.getByName(host);
		}
		catch (UnknownHostException ex) {
			throw new RpcConfigurationException(
					"%s: '%s' (expected: a known host name or an address)".formatted(option, host),
					"Correct rpc.server.%s.".formatted(option), ex);
		}
	}

	private static String firstReachable() {
		List<InetAddress> candidates = new ArrayList<>();
		try {
			for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
				if (network.isUp() && !network.isLoopback()) {
					candidates.addAll(Collections.list(network.getInetAddresses()));
				}
			}
		}
		catch (SocketException ex) {
			logger.debug("Cannot list the network interfaces", ex);
		}
		return candidates.stream()
			.filter((address) -> !address.isLinkLocalAddress())
			.min(Comparator.comparing((InetAddress address) -> !address.isSiteLocalAddress())
				.thenComparing((address) -> !(address instanceof Inet4Address)))
			.map(InetAddress::getHostAddress)
			.orElseThrow(() -> new RpcConfigurationException(
					"No network interface of this host has an address that other hosts could connect to",
					"Set rpc.server.advertised-address."));
	}

}
