package io.rpcboot.server;

import java.util.Set;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Options;

/** What the registry says of a server, so that clients choose by it. Immutable. */
public final class InstanceOptions extends Options {

	private static final InstanceOptions DEFAULTS = new InstanceOptions();

	private static final int MOST_WEIGHT = 10_000;

	private int weight = ServiceInstance.DEFAULT_WEIGHT;

	private String zone = "";

	private String tag = "";

	private InstanceOptions() {
	}

	/**
	 * Weight 100, no zone, no tag.
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

	ServiceInstance of(String id, String application, Endpoint endpoint, long startedAtMillis,
			Set<ServiceId> services) {
		return new ServiceInstance(id, application, endpoint, this.weight, startedAtMillis, services, this.zone,
				this.tag);
	}

}
