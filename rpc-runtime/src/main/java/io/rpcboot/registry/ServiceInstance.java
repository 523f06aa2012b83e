package io.rpcboot.registry;

import java.util.Set;

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
 */
public record ServiceInstance(String id, String application, Endpoint endpoint, int weight, long startedAtMillis,
		Set<ServiceId> services) {

	/** The weight of an instance that states none. */
	public static final int DEFAULT_WEIGHT = 100;

	public ServiceInstance {
		services = Set.copyOf(services);
	}

}
