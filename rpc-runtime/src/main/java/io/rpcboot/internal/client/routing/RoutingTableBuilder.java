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
 * Builds the routing table of a reference: connected, healthy instances with the tag of
 * the call, in the zone of the client. Ejected instances are used if no other is left,
 * frozen ones if all are frozen. Control thread.
 * <p>
 * Order of the methods: {@code of} decides whether tags matter; {@code ofUntagged} takes
 * all instances as one group, {@code ofTagged} groups them by tag, builds a table for
 * each tag, and then the table of calls without a tag, which links the others;
 * {@code ofGroup} adds tables of refused methods and trials; {@code ofMethod} chooses the
 * instances of a group; {@code ready} makes the table of the chosen ones.
 */
final class RoutingTableBuilder {

	/** Factor of weights while an instance has a share of its weight, for two digits. */
	private static final int FINE = 100;

	/** Least weight of the own zone, as a share of the mean weight of a zone. */
	private static final double ENOUGH_IN_ZONE = 0.5;

	/** Time for which calls leave the zone after its last failure. */
	private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final ServiceBinding binding;

	private final RoutingOptions options;

	private final long slowStartNanos;

	private final LongSupplier nanoTime;

	private final LongSupplier wallMillis;

	/**
	 * Time that load balancers see, as of the last comparison: their figures fade over
	 * seconds, and reading a field costs less than reading the clock.
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
	 * Routes calls to all zones while instances of the own zone fail, and for 5 s after,
	 * so that they can be compared.
	 * @return true if this has begun or ended
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

	/** Returns true if the share of an instance grows with its age. */
	boolean areStarting(Collection<InstanceState> members) {
		long now = this.nanoTime.getAsLong();
		long wall = this.wallMillis.getAsLong();
		return members.stream().anyMatch((member) -> member.isStarting(now, wall, this.slowStartNanos));
	}

	/** Sets the time that load balancers see. */
	void looks(long nowNanos) {
		this.lookedNanos = nowNanos;
	}

	/** Builds the table. */
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
		List<InstanceState> chosen = taking(connected, method, false, (member) -> !member.isLeftOut());
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

	/** Returns the instances of the own zone, or all if it has too little weight. */
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

	/**
	 * Returns the weights; while a share is below 1, the weights times 100 times the
	 * share.
	 */
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
