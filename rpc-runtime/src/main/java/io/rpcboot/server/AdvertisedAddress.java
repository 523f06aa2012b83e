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

import io.rpcboot.registry.Registry;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the host under which clients reach this server. */
final class AdvertisedAddress {

	private static final Logger logger = LoggerFactory.getLogger(AdvertisedAddress.class);

	private static final String LOOPBACK = "127.0.0.1";

	private static final String REMEDY = "Set advertised-address to a host name or address that clients reach.";

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
		logger.debug("Advertising {}; set advertised-address for another", host);
		return host;
	}

	private static String check(String option, String host, boolean local, @Nullable Registry registry) {
		InetAddress address = resolve(option, host);
		if (address.isAnyLocalAddress() || (address.isLoopbackAddress() && !local)) {
			throw InvalidOptionException.unusable(option,
					"'%s' is %s, which other hosts cannot connect to, but the registry is %s".formatted(host,
							address.isAnyLocalAddress() ? "a wildcard" : "a loopback address",
							(registry != null) ? registry.description() : "in this process"),
					REMEDY, null);
		}
		return host;
	}

	private static InetAddress resolve(String option, String host) {
		try {
			return InetAddress.getByName(host);
		}
		catch (UnknownHostException ex) {
			throw InvalidOptionException.unusable(option,
					"'%s' (expected: a known host name or an address, without port)".formatted(host),
					"Set %s to a known host name or an address, without port.".formatted(option), ex);
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
			.orElseThrow(() -> InvalidOptionException.unusable("advertised-address",
					"empty, and no network interface of this host has an address that other hosts could connect to",
					REMEDY, null));
	}

}
