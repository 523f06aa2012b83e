package io.rpcboot.internal.client.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ConnectionStats;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Chooses those among the instances of a reference that take its calls: connected, well,
 * with the right tag, near. Of the bad ones it takes the least bad only where there is no
 * other. Confined to the control thread.
 */
final class RoutingTableBuilder {

	/** Weights that are not whole any more keep two digits. */
	private static final int FINE = 100;

	/** Of what a zone has on the average. */
	private static final double ENOUGH_IN_ZONE = 0.5;

	private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final ServiceBinding binding;

	private final RoutingOptions options;

	private final long slowStartNanos;

	private final LongSupplier nanoTime;

	private final LongSupplier wallMillis;

	/**
	 * The time that load balancers see. What they ask for fades over seconds, so that of
	 * the last look is good enough, and asking for it costs nothing.
	 */
	private volatile long lookedNanos;

	private boolean doubtsZone;

	private long failedNanos;

	RoutingTableBuilder(ServiceBinding binding, RoutingOptions options, LongSupplier nanoTime,
			LongSupplier wallMillis) {
		this.binding = binding;
		this.options = options;
		this.slowStartNanos = Options.nanos(options.slowStart());
		this.nanoTime = nanoTime;
		this.wallMillis = wallMillis;
	}

	/**
	 * Those of this zone are compared with others while they fail, and for a while after.
	 * Returns whether that has begun or is over.
	 */
	boolean doubtsZone(boolean failing) {
		long now = this.nanoTime.getAsLong();
		boolean before = this.doubtsZone;
		if (failing) {
			this.failedNanos = now;
		}
		this.doubtsZone = !this.options.zone().isEmpty()
				&& (failing || (before && now - this.failedNanos < DOUBT_NANOS));
		return before != this.doubtsZone;
	}

	/** Whether the share of one grows with its age. */
	boolean areStarting(Collection<InstanceState> members) {
		long now = this.nanoTime.getAsLong();
		long wall = this.wallMillis.getAsLong();
		return members.stream().anyMatch((member) -> member.isStarting(now, wall, this.slowStartNanos));
	}

	/** Somebody looks at the instances. */
	void looks(long nowNanos) {
		this.lookedNanos = nowNanos;
	}

	/** Where each call goes now. */
	RoutingTable of(Collection<InstanceState> members) {
		looks(this.nanoTime.getAsLong());
		boolean plain = !this.options.isStrict()
				&& members.stream().allMatch((member) -> member.instance().tag().isEmpty());
		return plain ? ofUntagged(List.copyOf(members)) : ofTagged(members);
	}

	private RoutingTable ofUntagged(List<InstanceState> members) {
		RoutingTable all = ofGroup(members, this.options.tag(), Map.of(), RoutingTable.NONE, true);
		return (all.routes == null) ? all : ofGroup(members, this.options.tag(), Map.of(), all, true);
	}

	private RoutingTable ofTagged(Collection<InstanceState> members) {
		Map<String, List<InstanceState>> byTag = members.stream()
			.collect(Collectors.groupingBy((member) -> member.instance().tag()));
		Map<String, RoutingTable> tagged = new HashMap<>();
		byTag.forEach((tag, group) -> {
			RoutingTable ready = ofGroup(group, tag, Map.of(), RoutingTable.NONE, byTag.size() == 1);
			if (!ready.isEmpty()) {
				tagged.put(tag, ready);
			}
		});
		RoutingTable otherwise = this.options.isStrict() ? RoutingTable.NONE
				: tagged.getOrDefault("", RoutingTable.NONE);
		String own = this.options.tag();
		if (!tagged.containsKey(own)) {
			own = this.options.isStrict() ? own : "";
		}
		List<InstanceState> group = byTag.getOrDefault(own, List.of());
		return ofGroup(group, this.options.tag(), tagged, otherwise, false);
	}

	private RoutingTable ofGroup(List<InstanceState> members, String tag, Map<String, RoutingTable> tagged,
			RoutingTable otherwise, boolean plain) {
		Map<Integer, RoutingTable> fewer = new HashMap<>();
		for (InstanceState member : members) {
			for (Integer refused : member.pool.refusedMethods(this.binding)) {
				fewer.computeIfAbsent(refused, (number) -> ofMethod(members, number, null));
			}
		}
		List<HalfOpenProbe> probes = members.stream().filter(InstanceState::wantsProbe).map(this::probe).toList();
		RouteOverrides routes = (fewer.isEmpty() && plain && probes.isEmpty()) ? null
				: new RouteOverrides(Map.copyOf(fewer), tag, Map.copyOf(tagged), otherwise, probes);
		return ofMethod(members, ConnectionPool.ANY_METHOD, routes);
	}

	private HalfOpenProbe probe(InstanceState member) {
		HalfOpenProbe open = member.probe;
		if (open == null) {
			List<InstanceState> only = List.of(member);
			Map<Integer, RoutingTable> fewer = new HashMap<>();
			member.pool.refusedMethods(this.binding)
				.forEach((refused) -> fewer.put(refused, ready(only, refused, null, true)));
			RouteOverrides routes = new RouteOverrides(Map.copyOf(fewer), "", Map.of(), RoutingTable.NONE, List.of());
			open = new HalfOpenProbe(ready(only, ConnectionPool.ANY_METHOD, routes, true), member.health.isProbedWell(),
					this.nanoTime);
			member.probe = open;
		}
		return open;
	}

	private RoutingTable ofMethod(List<InstanceState> members, int method, @Nullable RouteOverrides routes) {
		List<InstanceState> connected = taking(members, method, true, (member) -> true);
		List<InstanceState> chosen = taking(connected, method, false, (member) -> !member.health.isOut());
		if (chosen.isEmpty()) {
			chosen = taking(connected, method, false, (member) -> true);
		}
		if (chosen.isEmpty()) {
			chosen = connected;
		}
		chosen = near(chosen);
		return ready(chosen, method, routes, chosen.size() == connected.size());
	}

	private static List<InstanceState> taking(List<InstanceState> members, int method, boolean frozen,
			Predicate<InstanceState> further) {
		return members.stream()
			.filter((member) -> further.test(member) && member.connections(method, frozen).length > 0)
			.toList();
	}

	/** Those of this zone, if they are not too few. */
	private List<InstanceState> near(List<InstanceState> all) {
		Map<String, Long> weights = all.stream()
			.collect(Collectors.groupingBy((member) -> member.instance().zone(),
					Collectors.summingLong((member) -> member.instance().weight())));
		Long here = weights.get(this.options.zone());
		long sum = weights.values().stream().mapToLong(Long::longValue).sum();
		boolean enough = here != null && !this.doubtsZone && !this.options.zone().isEmpty()
				&& here * weights.size() >= ENOUGH_IN_ZONE * sum;
		return enough ? all.stream().filter((member) -> member.instance().zone().equals(this.options.zone())).toList()
				: all;
	}

	private RoutingTable ready(List<InstanceState> members, int method, @Nullable RouteOverrides routes, boolean all) {
		List<ServiceInstance> instances = new ArrayList<>();
		List<ClientConnection[]> connections = new ArrayList<>();
		List<ConnectionStats[]> loads = new ArrayList<>();
		for (InstanceState member : members) {
			ClientConnection[] awake = member.connections(method, false);
			ClientConnection[] taken = (awake.length > 0) ? awake : member.connections(method, true);
			instances.add(member.instance());
			connections.add(taken);
			loads.add(Arrays.stream(taken).map((connection) -> connection.load).toArray(ConnectionStats[]::new));
		}
		CandidateSet candidates = new CandidateSet(instances, loads, weights(members),
				this.binding.service().methods().size(), () -> this.lookedNanos);
		return new RoutingTable(candidates, connections.toArray(new ClientConnection[0][]), routes, all);
	}

	/** Their own, or fine ones while one of them gets less than that. */
	private int[] weights(List<InstanceState> members) {
		long now = this.nanoTime.getAsLong();
		long wall = this.wallMillis.getAsLong();
		double[] shares = members.stream()
			.mapToDouble((member) -> member.share(now, wall, this.slowStartNanos))
			.toArray();
		boolean whole = Arrays.stream(shares).allMatch((share) -> share == 1);
		int[] weights = new int[shares.length];
		for (int i = 0; i < weights.length; i++) {
			long own = members.get(i).instance().weight();
			weights[i] = (int) Math.min(Integer.MAX_VALUE,
					whole ? own : Math.max(1, Math.round(own * FINE * shares[i])));
		}
		return weights;
	}

}
