package io.rpcboot.spring.actuate.endpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.spring.actuate.descriptor.CallsAtInstanceDescriptor;
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

	/** Returns the identities of the called services. */
	List<String> names() {
		return this.beans.references().stream().map((each) -> each.service().toString()).toList();
	}

	/** Returns a called service; null if there is none. */
	@Nullable ReferenceDescriptor one(String name) {
		String service = ElementNames.service(names(), name);
		if (service == null) {
			return null;
		}
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

	/** Returns the addresses of the known instances. */
	List<String> endpoints() {
		return instances(this.beans.references()).stream().map(InstanceDescriptor::endpoint).toList();
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
	 * connections, and each has calls of its own.
	 */
	private static final class Seen {

		/** Views of the references by service. */
		private final Map<String, List<Instance>> services = new LinkedHashMap<>();

		void add(String service, Instance instance) {
			this.services.computeIfAbsent(service, (first) -> new ArrayList<>()).add(instance);
		}

		InstanceDescriptor describe(String endpoint) {
			List<Instance> all = this.services.values().stream().flatMap(List::stream).toList();
			Instance worst = all.stream().min(ReferenceDescriptor.worstFirst(Instance::state)).orElseThrow();
			Map<String, CallsAtInstanceDescriptor> calls = new LinkedHashMap<>();
			this.services.forEach((service, each) -> {
				CallsAtInstanceDescriptor own = calls(each);
				if (own != null) {
					calls.put(service, own);
				}
			});
			return new InstanceDescriptor(endpoint, worst.application(), List.copyOf(this.services.keySet()),
					worst.state(), all.stream().mapToInt(Instance::connections).max().orElse(0),
					all.stream().mapToInt(Instance::pendingCalls).max().orElse(0), worst.problem(),
					all.stream().map(Instance::slowness).filter((each) -> !each.isEmpty()).findFirst().orElse(""),
					worst.id(), worst.weight(), worst.zone(), worst.tag(), worst.startedAtMillis(), calls(all), calls);
		}

		private static @Nullable CallsAtInstanceDescriptor calls(List<Instance> views) {
			return CallsAtInstanceDescriptor.of(views.stream().map(Instance::calls).toList());
		}

	}

}
