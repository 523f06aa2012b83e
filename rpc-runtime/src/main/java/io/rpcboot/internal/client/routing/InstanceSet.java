package io.rpcboot.internal.client.routing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.outlier.InstanceOutlierStats;
import io.rpcboot.internal.client.outlier.InstanceOutlierStats.Phase;
import io.rpcboot.internal.client.outlier.LatencyTrend;
import io.rpcboot.internal.client.outlier.OutlierDetector;
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.internal.client.pool.ConnectionPools;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Instances of a reference. Compares the outcomes of their calls four times a second and
 * ejects outliers. Control thread.
 */
public final class InstanceSet implements OutlierDetector.Listener {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final ServiceBinding binding;

	private final BatchingOptions batching;

	private final ClientResources client;

	private final ConnectionPools pools;

	private final Map<Endpoint, InstanceState> members = new LinkedHashMap<>();

	private OutlierDetector detector;

	private EjectionOptions ejection;

	private final RoutingTableBuilder tables;

	private final Runnable changed;

	/** Instances of the other part of the reference; null without one. */
	private @Nullable InstanceSet other;

	/** Periodic comparison; null while there is one instance or none. */
	private @Nullable Future<?> comparison;

	public InstanceSet(ServiceBinding binding, ResilienceOptions policies, BatchingOptions batching,
			ClientResources client, ConnectionPools pools, Runnable changed) {
		this.binding = binding;
		this.batching = batching;
		this.client = client;
		this.pools = pools;
		this.changed = changed;
		this.ejection = policies.ejection();
		this.detector = detector(policies.ejection(), binding);
		this.tables = new RoutingTableBuilder(binding, policies.routing(), client.nanoTime(),
				System::currentTimeMillis);
	}

	private static OutlierDetector detector(EjectionOptions options, ServiceBinding binding) {
		return new OutlierDetector(options, () -> ThreadLocalRandom.current().nextDouble(),
				(method) -> binding.service().methods().get(method).signature());
	}

	/**
	 * Compares the instances by other options from now on. Without ejection all of them
	 * take calls at once.
	 */
	public void compareBy(EjectionOptions options) {
		if (options.equals(this.ejection)) {
			return;
		}
		this.ejection = options;
		this.detector = detector(options, this.binding);
		if (!options.isEnabled()) {
			this.members.values().forEach(this::resetComparison);
			this.changed.run();
		}
	}

	/**
	 * Replaces the instances and connects to new ones.
	 * @param user router that uses their pools
	 * @return removed instances, to be released once their calls have moved elsewhere
	 */
	public Collection<InstanceState> update(List<ServiceInstance> instances, ConnectionPool.User user) {
		Map<Endpoint, ServiceInstance> listed = new LinkedHashMap<>();
		// a registry may still list the former owner of an address: the last entry counts
		instances.forEach((instance) -> listed.put(instance.endpoint(), instance));
		Map<Endpoint, InstanceState> before = new LinkedHashMap<>(this.members);
		this.members.clear();
		for (ServiceInstance instance : listed.values()) {
			ConnectionPool pool = this.pools.get(instance, this.batching);
			InstanceState member = before.get(instance.endpoint());
			if (member != null && member.pool == pool) {
				before.remove(instance.endpoint());
			}
			else {
				member = new InstanceState(this.binding, instance, pool, now());
			}
			member.update(instance, now());
			this.members.put(instance.endpoint(), member);
			member.pool.use(user);
		}
		compareIfSeveral();
		pair();
		return before.values();
	}

	/**
	 * Shares the state of instances with the other part of the reference, whose calls
	 * another protocol carries.
	 */
	public void pairWith(InstanceSet part) {
		this.other = part;
		part.other = this;
		pair();
	}

	private void pair() {
		InstanceSet part = this.other;
		if (part != null) {
			this.members.forEach((endpoint, member) -> member.twin = part.members.get(endpoint));
			part.members.forEach((endpoint, member) -> member.twin = this.members.get(endpoint));
		}
	}

	private void compareIfSeveral() {
		if (this.members.size() > 1 && this.comparison == null) {
			this.members.values().forEach(InstanceState::countsFromNow);
			this.comparison = this.client.control()
				.scheduleWithFixedDelay(this::compare, OutlierDetector.LOOK_NANOS, OutlierDetector.LOOK_NANOS,
						TimeUnit.NANOSECONDS);
		}
		else if (this.members.size() < 2 && this.comparison != null) {
			this.comparison.cancel(false);
			this.comparison = null;
			this.members.values().forEach(this::resetComparison);
		}
	}

	/** Forgets what comparison has found: the instance takes calls from now on. */
	private void resetComparison(InstanceState member) {
		if (member.health.isOut()) {
			isBack(member.health);
		}
		member.isAlone();
	}

	private void compare() {
		try {
			if (ejectOutliers()) {
				this.changed.run();
			}
			// after publication, so that the calls avoid ejected instances
			this.members.values().forEach(InstanceState::leaveOverdue);
		}
		catch (Throwable ex) {
			this.client.transport().health().log().survived("Comparing instances", ex);
		}
	}

	/**
	 * Compares the instances. A taken trial is recorded before the calls are counted:
	 * {@code probed} clears the sums, and would clear the outcome of the trial that
	 * {@code count} adds.
	 */
	private boolean ejectOutliers() {
		long now = now();
		this.tables.looks(now);
		double kept = this.detector.kept(now);
		List<InstanceOutlierStats> connected = new ArrayList<>();
		for (InstanceState member : this.members.values()) {
			if (member.probe != null && member.probe.isTaken()) {
				member.probe = null;
				member.health.probed(now);
			}
			member.count(kept, now);
			if (member.isConnected()) {
				connected.add(member.health);
			}
			else if (member.isFrozen()) {
				this.detector.standsStill(member.health, now);
			}
		}
		boolean changes = this.detector.look(connected, now, this);
		changes |= reportSlow(now);
		boolean doubt = this.tables.doubtsZone(OutlierDetector.areFailing(connected));
		return changes | doubt | this.tables.areStarting(this.members.values());
	}

	/**
	 * Compares the latencies of the instances that get calls, and logs which are slow.
	 * Instances that have just started are left out, because their JVM compiles.
	 * @return true if an instance is slow now that was not, or the reverse
	 */
	private boolean reportSlow(long now) {
		List<InstanceState> compared = new ArrayList<>();
		boolean changed = false;
		for (InstanceState member : this.members.values()) {
			if (member.isConnected() && !member.health.isOut() && !this.tables.areStarting(List.of(member))) {
				compared.add(member);
			}
			else {
				changed |= !member.trend.slowness().isEmpty();
				member.trend.isAlone();
			}
		}
		List<Boolean> before = compared.stream().map((member) -> member.trend.slowness().isEmpty()).toList();
		LatencyTrend.compare(compared.stream().map((member) -> member.trend).toList(), this.ejection, now);
		for (int i = 0; i < before.size(); i++) {
			InstanceState member = compared.get(i);
			String slowness = member.trend.slowness();
			if (before.get(i) && !slowness.isEmpty()) {
				logger.warn("Instance {}: slow for calls of {}: {}", member.instance().endpoint(),
						this.binding.service().id(), slowness);
			}
			else if (!before.get(i) && slowness.isEmpty()) {
				logger.info("Instance {}: as fast as the others for calls of {} again", member.instance().endpoint(),
						this.binding.service().id());
			}
			changed |= before.get(i) != slowness.isEmpty();
		}
		return changed;
	}

	@Override
	public void left(InstanceOutlierStats instance) {
		logger.warn("Instance {} is ejected for {}: {}; trial calls go there from time to time",
				memberOf(instance).instance().endpoint(), this.binding.service().id(), instance.why());
	}

	@Override
	public void isBack(InstanceOutlierStats instance) {
		InstanceState member = memberOf(instance);
		member.forget();
		logger.info("Instance {}: takes calls of {} again", member.instance().endpoint(), this.binding.service().id());
	}

	private InstanceState memberOf(InstanceOutlierStats instance) {
		return this.members.values().stream().filter((member) -> member.health == instance).findFirst().orElseThrow();
	}

	private long now() {
		return this.client.nanoTime().getAsLong();
	}

	/** Makes the routing table of the current state. */
	public RoutingTable ready() {
		this.members.values().forEach((member) -> {
			if (member.health.phase() != Phase.PROBING) {
				member.probe = null;
			}
		});
		return this.tables.of(this.members.values());
	}

	public Collection<InstanceState> all() {
		return this.members.values();
	}

	public boolean isEmpty() {
		return this.members.isEmpty();
	}

	/**
	 * Returns the reason why every instance refuses a method, or null if one may take it.
	 * @param number method number on the wire
	 */
	public @Nullable BindRejection refusedByAll(int number) {
		BindRejection refusal = null;
		for (InstanceState member : this.members.values()) {
			BindRejection each = member.pool.refusal(this.binding, number);
			if (each == null) {
				return null;
			}
			// prefer the reason of an instance that has the service
			refusal = (refusal == null || refusal.status() == RpcStatus.NOT_FOUND) ? each : refusal;
		}
		return refusal;
	}

	/** Returns all instances with their connections, whether calls go there or not. */
	public List<BroadcastTarget> broadcastTargets() {
		long now = now();
		return this.members.values()
			.stream()
			.map((each) -> new BroadcastTarget(each.describe(now), each.connections(ConnectionPool.ANY_METHOD, true)))
			.toList();
	}

	/**
	 * Counts the calls of each instance from now on, for the description.
	 * @param reference number of the reference
	 */
	public void countCalls(int reference) {
		long now = now();
		this.members.values().forEach((each) -> each.countCalls(reference, now));
	}

	/** Releases all pools. */
	public void close(ConnectionPool.User user) {
		this.members.values().forEach((member) -> this.pools.leave(member.pool, user));
		this.members.clear();
		compareIfSeveral();
		pair();
	}

	/** Releases the pool of a removed instance. */
	public void leave(InstanceState member, ConnectionPool.User user) {
		this.pools.leave(member.pool, user);
	}

}
