package io.rpcboot.registry.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.rpcboot.registry.ServiceInstance;

/**
 * The instances of a service.
 *
 * @param instances none is left out
 * @param at when the registry has confirmed them last
 */
record CachedInstances(List<ServiceInstance> instances, Instant at) {

	private static final Duration SKEW = Duration.ofHours(1);

	/** A list from the future is of no age at all: nothing would ever end it. */
	boolean isYoung(Instant now, Duration maxAge) {
		return !this.at.isBefore(now.minus(maxAge)) && !this.at.isAfter(now.plus(SKEW));
	}

}
