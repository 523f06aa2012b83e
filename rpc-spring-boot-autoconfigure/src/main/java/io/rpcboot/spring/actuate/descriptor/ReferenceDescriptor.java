package io.rpcboot.spring.actuate.descriptor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.Calls;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.Retries;
import io.rpcboot.client.ReferenceInfo.State;
import org.jspecify.annotations.Nullable;

/**
 * A service that this process calls, combined from all references to it, which may differ
 * in serializer or batching.
 *
 * @param service the service: {@code name[:version][@group]}
 * @param source where its instances come from
 * @param ready true if every reference would find an instance now
 * @param waitingCalls calls that wait for an instance with a grant and socket buffer
 * space
 * @param retries smallest retry budget of the references, null if none retries
 * @param instances known instances, those that take no calls first, at most 500
 * @param instancesLeftOut number of omitted instances
 * @param policies effective options of each {@code @RpcReference}, at most 100
 * @param methods statistics of the methods that were called, null without a history
 * @since 0.1.0
 */
public record ReferenceDescriptor(String service, String source, boolean ready, int waitingCalls,
		@Nullable Retries retries, List<InstanceDescriptor> instances, int instancesLeftOut,
		List<PolicyDescriptor> policies, @Nullable List<MethodStatsDescriptor> methods) {

	/** Most instances in one document. */
	public static final int MOST_INSTANCES = 500;

	/** Order of states. An instance may take calls of one service and refuse another. */
	private static final List<State> WORST_FIRST = List.of(State.INCOMPATIBLE, State.BACKING_OFF, State.FROZEN,
			State.EJECTED, State.CONNECTING, State.DRAINING, State.READY);

	public static ReferenceDescriptor of(List<ReferenceInfo> all, List<PolicyDescriptor> policies,
			@Nullable List<MethodStatsDescriptor> methods) {
		Line line = Line.of(all);
		return new ReferenceDescriptor(line.service(), line.source(), line.ready(), line.waitingCalls(), line.retries(),
				instances(all).sorted(worstFirst(InstanceDescriptor::state)).limit(MOST_INSTANCES).toList(),
				Math.max(0, line.instances() - MOST_INSTANCES), policies, methods);
	}

	/** Returns a comparator that puts instances that take no calls first. */
	public static <T> Comparator<T> worstFirst(Function<T, State> state) {
		return Comparator.comparing((each) -> WORST_FIRST.indexOf(state.apply(each)));
	}

	/**
	 * Returns the instances. References that share the connections to an instance have
	 * one line for it, with the calls of all.
	 */
	private static Stream<InstanceDescriptor> instances(List<ReferenceInfo> all) {
		Map<InstanceDescriptor, List<@Nullable Calls>> views = new LinkedHashMap<>();
		all.forEach((reference) -> reference.instances()
			.forEach((each) -> views.computeIfAbsent(InstanceDescriptor.of(each), (first) -> new ArrayList<>())
				.add(each.calls())));
		return views.entrySet()
			.stream()
			.map((each) -> each.getKey().with(CallsAtInstanceDescriptor.of(each.getValue())));
	}

	/**
	 * Short form of a reference in the list.
	 *
	 * @param service the service
	 * @param source where its instances come from
	 * @param ready true if every reference would find an instance now
	 * @param instances number of known instances
	 * @param readyInstances number of instances that take calls
	 * @param waitingCalls calls that wait for an instance with a grant and socket buffer
	 * space
	 * @param retries smallest retry budget of the references, null if none retries
	 */
	public record Line(String service, String source, boolean ready, int instances, int readyInstances,
			int waitingCalls, @Nullable Retries retries) {

		public static Line of(List<ReferenceInfo> all) {
			List<InstanceDescriptor> instances = ReferenceDescriptor.instances(all).toList();
			return new Line(all.get(0).service().toString(),
					all.stream().map(ReferenceInfo::source).distinct().collect(Collectors.joining(", ")),
					all.stream().allMatch(ReferenceInfo::isReady), instances.size(),
					(int) instances.stream().filter((each) -> each.state() == State.READY).count(),
					all.stream().mapToInt(ReferenceInfo::waitingCalls).sum(),
					all.stream()
						.map(ReferenceInfo::retries)
						.filter(Objects::nonNull)
						.min(Comparator.comparingInt(Retries::left))
						.orElse(null));
		}

	}

	/**
	 * The list of references.
	 *
	 * @param references references that are not ready first
	 */
	public record Lines(List<Line> references) {
	}

	/**
	 * An instance of a service.
	 *
	 * @param endpoint address of the instance
	 * @param application its application, empty for a static address
	 * @param id its id, empty for a static address
	 * @param state whether it takes calls
	 * @param connections established connections
	 * @param pendingCalls calls that wait for a reply
	 * @param problem why it takes no calls, empty if it takes calls
	 * @param slowness how it is slower than the other instances, empty if it is not
	 * @param weight its share of the calls in relation to other instances
	 * @param zone its zone, empty if unknown
	 * @param tag tag of the calls that it takes, empty for calls without a tag
	 * @param startedAt its start in milliseconds since 1970, 0 if unknown
	 * @param calls recent calls of the service there, null before they are counted
	 */
	public record InstanceDescriptor(String endpoint, String application, String id, State state, int connections,
			int pendingCalls, String problem, String slowness, int weight, String zone, String tag, long startedAt,
			@Nullable CallsAtInstanceDescriptor calls) {

		static InstanceDescriptor of(Instance instance) {
			return new InstanceDescriptor(instance.endpoint().toString(), instance.application(), instance.id(),
					instance.state(), instance.connections(), instance.pendingCalls(), instance.problem(),
					instance.slowness(), instance.weight(), instance.zone(), instance.tag(), instance.startedAtMillis(),
					null);
		}

		InstanceDescriptor with(@Nullable CallsAtInstanceDescriptor calls) {
			return new InstanceDescriptor(this.endpoint, this.application, this.id, this.state, this.connections,
					this.pendingCalls, this.problem, this.slowness, this.weight, this.zone, this.tag, this.startedAt,
					calls);
		}

	}

}
