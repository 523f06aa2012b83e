package io.rpcboot.registry;

import java.util.Set;
import java.util.regex.Pattern;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;

/**
 * One running copy of an application and the services that it offers.
 *
 * @param id unique for each start of a process
 * @param application name of the application
 * @param endpoint where it listens, as others reach it
 * @param weight share of the calls in relation to other instances, 1 or more
 * @param startedAtMillis when it started, milliseconds since 1970, 0 if unknown; of two
 * instances with the same endpoint the older one is dead
 * @param services what it offers
 * @param zone where it runs: clients of the same zone prefer it; empty if unknown
 * @param tag for which calls it is, such as those for a canary; empty for those without a
 * tag
 */
public record ServiceInstance(String id, String application, Endpoint endpoint, int weight, long startedAtMillis,
		Set<ServiceId> services, String zone, String tag) {

	/** The weight of an instance that states none. */
	public static final int DEFAULT_WEIGHT = 100;

	/** What {@link #isName} asks for, for people. */
	public static final String NAME = "at most 64 letters, digits, '.', '_' and '-'";

	private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9._-]{0,64}");

	public ServiceInstance {
		services = Set.copyOf(services);
	}

	/**
	 * An instance without zone and tag.
	 * @param id unique for each start of a process
	 * @param application name of the application
	 * @param endpoint where it listens, as others reach it
	 * @param weight share of the calls in relation to other instances, 1 or more
	 * @param startedAtMillis when it started, milliseconds since 1970, 0 if unknown
	 * @param services what it offers
	 */
	public ServiceInstance(String id, String application, Endpoint endpoint, int weight, long startedAtMillis,
			Set<ServiceId> services) {
		this(id, application, endpoint, weight, startedAtMillis, services, "", "");
	}

	/**
	 * The same instance with another share of the calls.
	 * @param weight 1 or more
	 * @return a copy
	 */
	public ServiceInstance withWeight(int weight) {
		return new ServiceInstance(this.id, this.application, this.endpoint, weight, this.startedAtMillis,
				this.services, this.zone, this.tag);
	}

	/**
	 * Whether a text can be a zone or a tag.
	 * @param text the text
	 * @return true for at most 64 letters, digits, '.', '_' and '-', and for no text
	 */
	public static boolean isName(String text) {
		return NAMES.matcher(text).matches();
	}

}
