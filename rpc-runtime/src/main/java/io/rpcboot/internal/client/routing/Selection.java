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
import io.rpcboot.internal.client.connection.ConnectionLoad;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.pool.EndpointPool;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Chooses those among the instances of a reference that take its calls: connected, well,
 * with the right tag, near. Of the bad ones it takes the least bad only where there is no
 * other. Confined to the control thread.
 */
final class Selection {

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

	Selection(ServiceBinding binding, RoutingOptions options, LongSupplier nanoTime, LongSupplier wallMillis) {
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
	boolean areStarting(Collection<ReferenceMember> members) {
		long now = this.nanoTime.getAsLong();
		long wall = this.wallMillis.getAsLong();
		return members.stream().anyMatch((member) -> member.isStarting(now, wall, this.slowStartNanos));
	}

	/** Somebody looks at the instances. */
	void looks(long nowNanos) {
		this.lookedNanos = nowNanos;
	}

	/** Where each call goes now. */
	Ready of(Collection<ReferenceMember> members) {
		looks(this.nanoTime.getAsLong());
		boolean plain = !this.options.isStrict()
				&& members.stream().allMatch((member) -> member.instance().tag().isEmpty());
		return plain ? ofUntagged(List.copyOf(members)) : ofTagged(members);
	}

	private Ready ofUntagged(List<ReferenceMember> members) {
		Ready all = ofGroup(members, this.options.tag(), Map.of(), Ready.NONE, true);
		return (all.routes == null) ? all : ofGroup(members, this.options.tag(), Map.of(), all, true);
	}

	private Ready ofTagged(Collection<ReferenceMember> members) {
		Map<String, List<ReferenceMember>> byTag = members.stream()
			.collect(Collectors.groupingBy((member) -> member.instance().tag()));
		Map<String, Ready> tagged = new HashMap<>();
		byTag.forEach((tag, group) -> {
			Ready ready = ofGroup(group, tag, Map.of(), Ready.NONE, byTag.size() == 1);
			if (!ready.isEmpty()) {
				tagged.put(tag, ready);
			}
		});
		Ready otherwise = this.options.isStrict() ? Ready.NONE : tagged.getOrDefault("", Ready.NONE);
		String own = this.options.tag();
		if (!tagged.containsKey(own)) {
			own = this.options.isStrict() ? own : "";
		}
		List<ReferenceMember> group = byTag.getOrDefault(own, List.of());
		return ofGroup(group, this.options.tag(), tagged, otherwise, false);
	}

	private Ready ofGroup(List<ReferenceMember> members, String tag, Map<String, Ready> tagged, Ready otherwise,
			boolean plain) {
		Map<Integer, Ready> fewer = new HashMap<>();
		for (ReferenceMember member : members) {
			for (Integer refused : member.pool.refusedMethods(this.binding)) {
				fewer.computeIfAbsent(refused, (number) -> ofMethod(members, number, null));
			}
		}
		List<Probe> probes = members.stream().filter(ReferenceMember::wantsProbe).map(this::probe).toList();
		Routes routes = (fewer.isEmpty() && plain && probes.isEmpty()) ? null
				: new Routes(Map.copyOf(fewer), tag, Map.copyOf(tagged), otherwise, probes);
		return ofMethod(members, EndpointPool.ANY_METHOD, routes);
	}

	private Probe probe(ReferenceMember member) {
		Probe open = member.probe;
		if (open == null) {
			List<ReferenceMember> only = List.of(member);
			Map<Integer, Ready> fewer = new HashMap<>();
			member.pool.refusedMethods(this.binding)
				.forEach((refused) -> fewer.put(refused, ready(only, refused, null, true)));
			Routes routes = new Routes(Map.copyOf(fewer), "", Map.of(), Ready.NONE, List.of());
			open = new Probe(ready(only, EndpointPool.ANY_METHOD, routes, true), member.health.isProbedWell(),
					this.nanoTime);
			member.probe = open;
		}
		return open;
	}

	private Ready ofMethod(List<ReferenceMember> members, int method, @Nullable Routes routes) {
		List<ReferenceMember> connected = taking(members, method, true, (member) -> true);
		List<ReferenceMember> chosen = taking(connected, method, false, (member) -> !member.health.isOut());
		if (chosen.isEmpty()) {
			chosen = taking(connected, method, false, (member) -> true);
		}
		if (chosen.isEmpty()) {
			chosen = connected;
		}
		chosen = near(chosen);
		return ready(chosen, method, routes, chosen.size() == connected.size());
	}

	private static List<ReferenceMember> taking(List<ReferenceMember> members, int method, boolean frozen,
			Predicate<ReferenceMember> further) {
		return members.stream()
			.filter((member) -> further.test(member) && member.connections(method, frozen).length > 0)
			.toList();
	}

	/** Those of this zone, if they are not too few. */
	private List<ReferenceMember> near(List<ReferenceMember> all) {
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

	private Ready ready(List<ReferenceMember> members, int method, @Nullable Routes routes, boolean all) {
		List<ServiceInstance> instances = new ArrayList<>();
		List<ClientConnection[]> connections = new ArrayList<>();
		List<ConnectionLoad[]> loads = new ArrayList<>();
		for (ReferenceMember member : members) {
			ClientConnection[] awake = member.connections(method, false);
			ClientConnection[] taken = (awake.length > 0) ? awake : member.connections(method, true);
			instances.add(member.instance());
			connections.add(taken);
			loads.add(Arrays.stream(taken).map((connection) -> connection.load).toArray(ConnectionLoad[]::new));
		}
		ReadyInstances candidates = new ReadyInstances(instances, loads, weights(members),
				this.binding.service().methods().size(), () -> this.lookedNanos);
		return new Ready(candidates, connections.toArray(new ClientConnection[0][]), routes, all);
	}

	/** Their own, or fine ones while one of them gets less than that. */
	private int[] weights(List<ReferenceMember> members) {
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
