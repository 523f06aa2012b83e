package io.rpcboot.spring.actuate.endpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.spring.actuate.descriptor.InstanceDescriptor;
import io.rpcboot.spring.actuate.descriptor.ReferenceDescriptor;
import org.jspecify.annotations.Nullable;

/** Report of the services that this process calls, and of their instances. */
final class ReferencesReport {

	private final RpcBeans beans;

	private final MethodsReport methods;

	private final EffectiveOptionsReport policies;

	ReferencesReport(RpcBeans beans, MethodsReport methods, EffectiveOptionsReport policies) {
		this.beans = beans;
		this.methods = methods;
		this.policies = policies;
	}

	ReferenceDescriptor.Lines all() {
		return new ReferenceDescriptor.Lines(lines(this.beans.references()));
	}

	/** Returns references that are not ready first, then by name. */
	static List<ReferenceDescriptor.Line> lines(List<ReferenceInfo> references) {
		Map<String, List<ReferenceInfo>> byService = references.stream()
			.collect(Collectors.groupingBy((each) -> each.service().toString()));
		return byService.values()
			.stream()
			.map(ReferenceDescriptor.Line::of)
			.sorted(Comparator.comparing(ReferenceDescriptor.Line::ready)
				.thenComparing(ReferenceDescriptor.Line::service))
			.toList();
	}

	@Nullable ReferenceDescriptor one(String service) {
		List<ReferenceInfo> all = this.beans.references()
			.stream()
			.filter((each) -> each.service().toString().equals(service))
			.toList();
		return all.isEmpty() ? null : ReferenceDescriptor.of(all, this.policies.ofReferences(service),
				this.methods.of(Side.CLIENT, service));
	}

	InstanceDescriptor.All instances() {
		List<InstanceDescriptor> all = instances(this.beans.references());
		return new InstanceDescriptor.All(
				all.stream().limit(ReferenceDescriptor.MOST_INSTANCES).map(InstanceDescriptor::line).toList(),
				Math.max(0, all.size() - ReferenceDescriptor.MOST_INSTANCES));
	}

	@Nullable InstanceDescriptor instance(String endpoint) {
		return instances(this.beans.references()).stream()
			.filter((each) -> each.endpoint().equals(endpoint))
			.findFirst()
			.orElse(null);
	}

	private static List<InstanceDescriptor> instances(List<ReferenceInfo> references) {
		Map<String, Seen> byEndpoint = new LinkedHashMap<>();
		for (ReferenceInfo reference : references) {
			for (Instance each : reference.instances()) {
				byEndpoint.computeIfAbsent(each.endpoint().toString(), (first) -> new Seen())
					.add(reference.service().toString(), each);
			}
		}
		List<InstanceDescriptor> result = new ArrayList<>();
		byEndpoint.forEach((endpoint, seen) -> result.add(seen.describe(endpoint)));
		result.sort(
				ReferenceDescriptor.worstFirst(InstanceDescriptor::state).thenComparing(InstanceDescriptor::endpoint));
		return result;
	}

	/**
	 * An instance as seen by its references. References with equal batching share its
	 * connections and see the same.
	 */
	private static final class Seen {

		private final Set<String> services = new LinkedHashSet<>();

		private final Set<Instance> distinct = new LinkedHashSet<>();

		void add(String service, Instance instance) {
			this.services.add(service);
			this.distinct.add(instance);
		}

		InstanceDescriptor describe(String endpoint) {
			Instance worst = this.distinct.stream().min(ReferenceDescriptor.worstFirst(Instance::state)).orElseThrow();
			return new InstanceDescriptor(endpoint, worst.application(), List.copyOf(this.services), worst.state(),
					this.distinct.stream().mapToInt(Instance::connections).max().orElse(0),
					this.distinct.stream().mapToInt(Instance::pendingCalls).max().orElse(0), worst.problem());
		}

	}

}
