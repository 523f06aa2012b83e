package io.rpcboot.server;

import java.util.List;

import io.rpcboot.internal.net.AddressRange;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Options;

/** What the registry says of a server, so that clients choose by it. Immutable. */
public final class InstanceOptions extends Options {

	private static final InstanceOptions DEFAULTS = new InstanceOptions();

	private static final int MOST_WEIGHT = 10_000;

	private int weight = ServiceInstance.DEFAULT_WEIGHT;

	private String zone = "";

	private String tag = "";

	private int advertisedPort;

	private List<String> networks = List.of();

	private InstanceOptions() {
	}

	/**
	 * Weight 100, no zone, no tag, the port on which it listens, any network.
	 * @return the defaults
	 */
	public static InstanceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change the share of the calls in relation to other instances.
	 * @param weight 1 to 10000
	 * @return changed options
	 */
	public InstanceOptions withWeight(int weight) {
		require(weight >= 1 && weight <= MOST_WEIGHT, "weight", weight, "1 to 10000");
		InstanceOptions changed = copy();
		changed.weight = weight;
		return changed;
	}

	/**
	 * Say where the server runs: clients of the same zone prefer it.
	 * @param zone for example {@code eu-1a}: at most 64 letters, digits, '.', '_' and
	 * '-'; empty if unknown
	 * @return changed options
	 */
	public InstanceOptions withZone(String zone) {
		InstanceOptions changed = copy();
		changed.zone = name("zone", zone);
		return changed;
	}

	/**
	 * Say for which calls the server is: those with the same tag, and no others.
	 * @param tag for example {@code canary}: at most 64 letters, digits, '.', '_' and
	 * '-'; empty for those without a tag
	 * @return changed options
	 */
	public InstanceOptions withTag(String tag) {
		InstanceOptions changed = copy();
		changed.tag = name("tag", tag);
		return changed;
	}

	/**
	 * Say to which port clients connect, where that is another than the one on which the
	 * server listens: of a container with mapped ports, or behind a proxy.
	 * @param port 1 to 65535, or 0 for the one on which it listens
	 * @return changed options
	 */
	public InstanceOptions withAdvertisedPort(int port) {
		require(port >= 0 && port <= 65535, "advertised-port", port, "0 (the port it listens on) to 65535");
		InstanceOptions changed = copy();
		changed.advertisedPort = port;
		return changed;
	}

	/**
	 * Choose among the addresses of this host, where one is to be chosen.
	 * @param networks ranges such as {@code 10.0.0.0/8} or {@code fd00::/8} and names of
	 * network interfaces; the first that has an address counts. If none has, it is as if
	 * nothing were preferred, with a warning
	 * @return changed options
	 */
	public InstanceOptions withPreferredNetworks(List<String> networks) {
		networks.forEach(AddressRange::parse);
		InstanceOptions changed = copy();
		changed.networks = List.copyOf(networks);
		return changed;
	}

	private static String name(String option, String value) {
		require(ServiceInstance.isName(value), option, "'" + value + "'", ServiceInstance.NAME);
		return value;
	}

	/**
	 * Share of the calls in relation to other instances.
	 * @return 1 to 10000
	 */
	public int weight() {
		return this.weight;
	}

	/**
	 * Where the server runs.
	 * @return empty if unknown
	 */
	public String zone() {
		return this.zone;
	}

	/**
	 * For which calls the server is.
	 * @return empty for those without a tag
	 */
	public String tag() {
		return this.tag;
	}

	/**
	 * To which port clients connect.
	 * @return 0 for the one on which the server listens
	 */
	public int advertisedPort() {
		return this.advertisedPort;
	}

	/**
	 * Which addresses of this host go before others.
	 * @return as they were given; empty for none
	 */
	public List<String> preferredNetworks() {
		return this.networks;
	}

}
