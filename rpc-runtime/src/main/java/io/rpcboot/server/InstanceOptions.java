package io.rpcboot.server;

import java.util.List;

import io.rpcboot.internal.net.AddressRange;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Options;

/**
 * Properties of a server in the registry, by which clients choose instances. Immutable.
 *
 * <pre>{@code
 * InstanceOptions.defaults().withZone("eu-1a").withWeight(50)
 * }</pre>
 *
 * @since 0.1.0
 */
public final class InstanceOptions extends Options {

	private static final InstanceOptions DEFAULTS = new InstanceOptions();

	private static final int MAX_WEIGHT = 10_000;

	private int weight = ServiceInstance.DEFAULT_WEIGHT;

	private String zone = "";

	private String tag = "";

	private int advertisedPort;

	private List<String> networks = List.of();

	private InstanceOptions() {
	}

	/**
	 * Returns the defaults: weight 100, no zone, no tag, advertised port = bound port, no
	 * preferred networks.
	 * @return the defaults
	 */
	public static InstanceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns options with another weight. The share of calls is weight / sum of the
	 * weights of all instances.
	 * @param weight 1 to 10000
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the weight is out of range
	 */
	public InstanceOptions withWeight(int weight) {
		require(weight >= 1 && weight <= MAX_WEIGHT, "weight", weight, "1 to 10000");
		return copy((changed) -> changed.weight = weight);
	}

	/**
	 * Returns options with a zone. Clients of the same zone prefer the server.
	 * @param zone for example {@code eu-1a}: at most 64 letters, digits, '.', '_' and
	 * '-'; empty if unknown
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the name is invalid
	 */
	public InstanceOptions withZone(String zone) {
		return copy((changed) -> changed.zone = name("zone", zone));
	}

	/**
	 * Returns options with a tag. The server receives only calls with the same tag.
	 * @param tag for example {@code canary}: at most 64 letters, digits, '.', '_' and
	 * '-'; empty for calls without a tag
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the name is invalid
	 */
	public InstanceOptions withTag(String tag) {
		return copy((changed) -> changed.tag = name("tag", tag));
	}

	/**
	 * Returns options with the port to which clients connect, if it differs from the
	 * bound port: with mapped ports of a container or behind a proxy.
	 * @param port 1 to 65535, or 0 for the bound port
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if the port is out of range
	 */
	public InstanceOptions withAdvertisedPort(int port) {
		require(port >= 0 && port <= 65535, "advertised-port", port, "0 (the port it listens on) to 65535");
		return copy((changed) -> changed.advertisedPort = port);
	}

	/**
	 * Returns options that prefer certain addresses of this host as the advertised one.
	 * @param networks ranges such as {@code 10.0.0.0/8} or {@code fd00::/8} and names of
	 * network interfaces; the first with an address counts. Without a match the server
	 * logs a warning and chooses among all addresses
	 * @return changed options
	 * @throws io.rpcboot.RpcConfigurationException if a range is invalid
	 */
	public InstanceOptions withPreferredNetworks(List<String> networks) {
		networks.forEach(AddressRange::parse);
		return copy((changed) -> changed.networks = List.copyOf(networks));
	}

	private static String name(String option, String value) {
		require(ServiceInstance.isName(value), option, "'" + value + "'", ServiceInstance.NAME);
		return value;
	}

	/**
	 * Returns the weight.
	 * @return 1 to 10000
	 */
	public int weight() {
		return this.weight;
	}

	/**
	 * Returns the zone.
	 * @return the name, empty if unknown
	 */
	public String zone() {
		return this.zone;
	}

	/**
	 * Returns the tag.
	 * @return the name, empty for calls without a tag
	 */
	public String tag() {
		return this.tag;
	}

	/**
	 * Returns the port to which clients connect.
	 * @return the port, 0 for the bound port
	 */
	public int advertisedPort() {
		return this.advertisedPort;
	}

	/**
	 * Returns the preferred networks.
	 * @return ranges and names of interfaces as configured, empty for no preference
	 */
	public List<String> preferredNetworks() {
		return this.networks;
	}

}
