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
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.internal.client.pool.ConnectionPools;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.cluster.InstanceOutlierStats;
import io.rpcboot.internal.cluster.InstanceOutlierStats.Phase;
import io.rpcboot.internal.cluster.OutlierDetector;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of a reference, and which of them take its calls: looks four times a
 * second at how their calls go. Confined to the control thread.
 */
public final class InstanceSet implements OutlierDetector.Listener {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final ServiceBinding binding;

	private final BatchingOptions batching;

	private final ClientResources client;

	private final ConnectionPools pools;

	private final Map<Endpoint, InstanceState> members = new LinkedHashMap<>();

	private final OutlierDetector ejection;

	private final RoutingTableBuilder selection;

	private final Runnable changed;

	/** Null while there are not several. */
	private @Nullable Future<?> looks;

	public InstanceSet(ServiceBinding binding, ResilienceOptions policies, BatchingOptions batching,
			ClientResources client, ConnectionPools pools, Runnable changed) {
		this.binding = binding;
		this.batching = batching;
		this.client = client;
		this.pools = pools;
		this.changed = changed;
		this.ejection = new OutlierDetector(policies.ejection(), () -> ThreadLocalRandom.current().nextDouble());
		this.selection = new RoutingTableBuilder(binding, policies.routing(), client.nanoTime(),
				System::currentTimeMillis);
	}

	/**
	 * These are the instances now. Those that are new are used at once.
	 * @param user who uses them
	 * @return those that are no more, to be left when their calls have gone elsewhere
	 */
	public Collection<InstanceState> update(List<ServiceInstance> instances, ConnectionPool.User user) {
		Map<Endpoint, ServiceInstance> listed = new LinkedHashMap<>();
		// a registry may still list who had the address before: the last one counts
		instances.forEach((instance) -> listed.put(instance.endpoint(), instance));
		Map<Endpoint, InstanceState> before = new LinkedHashMap<>(this.members);
		this.members.clear();
		for (ServiceInstance instance : listed.values()) {
			InstanceState member = before.remove(instance.endpoint());
			if (member == null) {
				ConnectionPool pool = this.pools.get(instance.endpoint(), this.batching);
				member = new InstanceState(this.binding, instance, pool, now());
			}
			member.is(instance, now());
			this.members.put(instance.endpoint(), member);
			member.pool.use(user);
		}
		lookIfSeveral();
		return before.values();
	}

	private void lookIfSeveral() {
		if (this.members.size() > 1 && this.looks == null) {
			this.members.values().forEach(InstanceState::countsFromNow);
			this.looks = this.client.control()
				.scheduleWithFixedDelay(this::look, OutlierDetector.LOOK_NANOS, OutlierDetector.LOOK_NANOS,
						TimeUnit.NANOSECONDS);
		}
		else if (this.members.size() < 2 && this.looks != null) {
			this.looks.cancel(false);
			this.looks = null;
			this.members.values().forEach(this::isAlone);
		}
	}

	/** What was concluded of it would stay for ever, and its successor get all calls. */
	private void isAlone(InstanceState member) {
		if (member.health.isOut()) {
			isBack(member.health);
		}
		member.isAlone();
	}

	/** How do calls go? */
	private void look() {
		try {
			if (takeStock()) {
				this.changed.run();
			}
			// those that are out are chosen no longer
			this.members.values().forEach(InstanceState::leaveOverdue);
		}
		catch (Throwable ex) {
			this.client.transport().health().log().survived("Looking at instances", ex);
		}
	}

	private boolean takeStock() {
		long now = now();
		this.selection.looks(now);
		double kept = this.ejection.kept(now);
		List<InstanceOutlierStats> connected = new ArrayList<>();
		for (InstanceState member : this.members.values()) {
			if (member.probe != null && member.probe.isTaken()) {
				member.probe = null;
				member.health.probed(now);
			}
			member.count(kept);
			if (member.isConnected()) {
				connected.add(member.health);
			}
			else if (member.standsStill()) {
				this.ejection.standsStill(member.health, now);
			}
		}
		boolean changes = this.ejection.look(connected, now, this);
		boolean doubt = this.selection.doubtsZone(OutlierDetector.areFailing(connected));
		return changes | doubt | this.selection.areStarting(this.members.values());
	}

	@Override
	public void left(InstanceOutlierStats instance) {
		logger.warn("Instance {}: calls of {} go to others, but for one now and then: {}",
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

	/** Where each call goes now. */
	public RoutingTable ready() {
		this.members.values().forEach((member) -> {
			if (member.health.phase() != Phase.PROBING) {
				member.probe = null;
			}
		});
		return this.selection.of(this.members.values());
	}

	public Collection<InstanceState> all() {
		return this.members.values();
	}

	public boolean isEmpty() {
		return this.members.isEmpty();
	}

	/** Why no instance will ever run a method; null while one may. */
	public @Nullable BindRejection refusedByAll(int number) {
		BindRejection refusal = null;
		for (InstanceState member : this.members.values()) {
			BindRejection each = member.pool.refusal(this.binding, number);
			if (each == null) {
				return null;
			}
			// an instance that has the service, if in another version, says more
			refusal = (refusal == null || refusal.status() == RpcStatus.NOT_FOUND) ? each : refusal;
		}
		return refusal;
	}

	/** All of them, whether calls go there or not. */
	public List<BroadcastTarget> known() {
		return this.members.values()
			.stream()
			.map((each) -> new BroadcastTarget(each.describe(), each.connections(ConnectionPool.ANY_METHOD, true)))
			.toList();
	}

	public void close(ConnectionPool.User user) {
		this.members.values().forEach((member) -> this.pools.leave(member.pool, user));
		this.members.clear();
		lookIfSeveral();
	}

	/** Nobody sends calls there any more. */
	public void leave(InstanceState member, ConnectionPool.User user) {
		this.pools.leave(member.pool, user);
	}

}
