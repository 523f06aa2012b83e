package io.rpcboot.internal.registry.zookeeper.directory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import io.rpcboot.Endpoint;
import io.rpcboot.registry.ServiceInstance;

/**
 * Instances of one service as its subscribers see them: the listed instances, and
 * vanished ones for the grace time; without older instances of an endpoint; never empty
 * again once it was not. Has no clock and no threads; times are those of
 * {@link System#nanoTime()}.
 */
final class InstanceList {

	private static final Comparator<ServiceInstance> BY_ID = Comparator.comparing(ServiceInstance::id);

	private static final Comparator<ServiceInstance> BY_AGE = Comparator.comparingLong(ServiceInstance::startedAtMillis)
		.thenComparing(BY_ID);

	private final long graceNanos;

	private final Map<String, ServiceInstance> present = new HashMap<>();

	private final Map<String, Vanished> vanished = new HashMap<>();

	private List<ServiceInstance> snapshot = List.of();

	/** True if the registry lists no instance and the earlier list is kept. */
	private boolean keptInsteadOfEmpty;

	InstanceList(long graceNanos) {
		this.graceNanos = graceNanos;
	}

	/**
	 * Sets the listed instances.
	 * @param listed all instances that the registry lists
	 * @param now the time
	 * @param holdUntil earliest removal of vanished instances
	 */
	void update(Collection<ServiceInstance> listed, long now, long holdUntil) {
		Map<String, ServiceInstance> before = Map.copyOf(this.present);
		this.present.clear();
		listed.forEach((instance) -> this.present.put(key(instance), instance));
		this.vanished.keySet().removeAll(this.present.keySet());
		long removeAt = later(now + this.graceNanos, holdUntil);
		before.forEach((key, instance) -> {
			if (!this.present.containsKey(key)) {
				this.vanished.put(key, new Vanished(instance, removeAt));
			}
		});
		expire(now);
	}

	/**
	 * Removes instances whose grace time is over.
	 * @param now the time
	 */
	void expire(long now) {
		this.vanished.values().removeIf((one) -> one.removeAt - now <= 0);
		List<ServiceInstance> next = newestOfEachEndpoint();
		this.keptInsteadOfEmpty = next.isEmpty() && !this.snapshot.isEmpty();
		if (!this.keptInsteadOfEmpty) {
			this.snapshot = next;
		}
	}

	List<ServiceInstance> snapshot() {
		return this.snapshot;
	}

	/** Returns true if the registry lists no instance and the earlier list is kept. */
	boolean isKeptInsteadOfEmpty() {
		return this.keptInsteadOfEmpty;
	}

	/** Returns the time of the next {@link #expire}, empty if none is needed. */
	OptionalLong nextExpiry() {
		return this.vanished.values().stream().mapToLong(Vanished::removeAt).reduce((a, b) -> (a - b <= 0) ? a : b);
	}

	private List<ServiceInstance> newestOfEachEndpoint() {
		Map<Endpoint, ServiceInstance> byEndpoint = new HashMap<>();
		for (ServiceInstance instance : this.present.values()) {
			byEndpoint.merge(instance.endpoint(), instance, InstanceList::newer);
		}
		// a listed instance wins over a vanished one: clocks of hosts may differ
		this.vanished.values().removeIf((one) -> byEndpoint.containsKey(one.instance.endpoint()));
		for (Vanished one : this.vanished.values()) {
			byEndpoint.merge(one.instance.endpoint(), one.instance, InstanceList::newer);
		}
		List<ServiceInstance> instances = new ArrayList<>(byEndpoint.values());
		instances.sort(BY_ID);
		return List.copyOf(instances);
	}

	private static ServiceInstance newer(ServiceInstance a, ServiceInstance b) {
		return (BY_AGE.compare(a, b) >= 0) ? a : b;
	}

	private static long later(long a, long b) {
		return (a - b >= 0) ? a : b;
	}

	private static String key(ServiceInstance instance) {
		return instance.application() + "/" + instance.id();
	}

	private record Vanished(ServiceInstance instance, long removeAt) {
	}

}
