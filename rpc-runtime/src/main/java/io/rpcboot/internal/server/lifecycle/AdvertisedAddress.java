package io.rpcboot.internal.server.lifecycle;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.net.AddressRange;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.registry.Registry;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Host under which clients reach this server.
 *
 * @param host name or address
 * @param reason reason of the choice, for the log; empty if the application configured
 * the host or only this machine uses it
 */
public record AdvertisedAddress(String host, String reason) {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private static final String LOOPBACK = "127.0.0.1";

	private static final String REMEDY = "Set advertised-address to a host name or address that clients reach.";

	/**
	 * Address of a network interface that is up, not loopback.
	 *
	 * @param networkInterface name of the interface
	 * @param address the address
	 */
	record Candidate(String networkInterface, InetAddress address) {

		/** Returns the address without the scope of IPv6, which is local to this host. */
		String host() {
			try {
				return Objects.requireNonNull(InetAddress.getByAddress(this.address.getAddress()).getHostAddress());
			}
			catch (UnknownHostException ex) {
				throw new IllegalStateException(ex); // never: the length is right
			}
		}

		String kind() {
			return this.address.isSiteLocalAddress() ? "site-local address" : "address";
		}

	}

	/**
	 * Chooses the host: the advertised address, else the bind address, else an address of
	 * a network interface.
	 */
	public static AdvertisedAddress choose(ServerOptions options) {
		return choose(options, AdvertisedAddress::candidates);
	}

	static AdvertisedAddress choose(ServerOptions options, Supplier<List<Candidate>> candidates) {
		Registry registry = options.registry;
		boolean local = registry == null || registry.isLocal();
		if (!options.advertisedAddress.isEmpty()) {
			check("advertised-address", options.advertisedAddress, local, registry);
			return new AdvertisedAddress(options.advertisedAddress, "");
		}
		if (!options.bindAddress.isEmpty() && !resolve("bind-address", options.bindAddress).isAnyLocalAddress()) {
			check("bind-address", options.bindAddress, local, registry);
			return new AdvertisedAddress(options.bindAddress, local ? "" : "the bind address");
		}
		if (registry == null || local) {
			return new AdvertisedAddress(LOOPBACK, "");
		}
		List<AddressRange> preferred = options.instance.preferredNetworks().stream().map(AddressRange::parse).toList();
		return ofInterfaces(preferred, candidates.get(), registry);
	}

	/** Logs the choice, unless the application made it. */
	void logChoice(Endpoint endpoint) {
		if (!this.reason.isEmpty()) {
			logger.info("Advertising {}: {}; set advertised-address for another", endpoint, this.reason);
		}
	}

	private static void check(String option, String host, boolean local, @Nullable Registry registry) {
		InetAddress address = resolve(option, host);
		if (address.isAnyLocalAddress() || (address.isLoopbackAddress() && !local)) {
			throw InvalidOptionException.unusable(option,
					"'%s' is %s, which other hosts cannot connect to, but the registry is %s".formatted(host,
							address.isAnyLocalAddress() ? "a wildcard" : "a loopback address",
							(registry != null) ? registry.description() : "in this process"),
					REMEDY, null);
		}
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

	private static AdvertisedAddress ofInterfaces(List<AddressRange> preferred, List<Candidate> candidates,
			Registry registry) {
		for (AddressRange network : preferred) {
			Candidate found = first(candidates, (each) -> network.contains(each.networkInterface(), each.address()));
			if (found != null) {
				return new AdvertisedAddress(found.host(), "first %s of %s in preferred network %s"
					.formatted(found.kind(), found.networkInterface(), network.text()));
			}
		}
		Candidate found = first(candidates, (each) -> !each.address().isLinkLocalAddress());
		if (found == null) {
			if (!registry.takesRegistrations()) {
				return new AdvertisedAddress(LOOPBACK, ""); // it is not registered
			}
			throw InvalidOptionException.unusable("advertised-address",
					"empty, and no network interface of this host has an address that other hosts can connect to",
					REMEDY, null);
		}
		if (!preferred.isEmpty()) {
			logger.warn("preferred-networks: no address of this host is in {}, it has {}",
					preferred.stream().map(AddressRange::text).collect(Collectors.joining(", ")),
					candidates.stream()
						.map((each) -> each.host() + " (" + each.networkInterface() + ")")
						.collect(Collectors.joining(", ")));
		}
		return new AdvertisedAddress(found.host(),
				"first %s of this host, of %s".formatted(found.kind(), found.networkInterface()));
	}

	private static @Nullable Candidate first(List<Candidate> candidates, Predicate<Candidate> wanted) {
		return candidates.stream()
			.filter(wanted)
			.min(Comparator.comparing((Candidate each) -> !each.address().isSiteLocalAddress())
				.thenComparing((each) -> !(each.address() instanceof Inet4Address)))
			.orElse(null);
	}

	private static List<Candidate> candidates() {
		List<Candidate> candidates = new ArrayList<>();
		try {
			for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
				if (network.isUp() && !network.isLoopback()) {
					Collections.list(network.getInetAddresses())
						.forEach((address) -> candidates.add(new Candidate(network.getName(), address)));
				}
			}
		}
		catch (SocketException ex) {
			logger.debug("Cannot list the network interfaces", ex);
		}
		return candidates;
	}

}
