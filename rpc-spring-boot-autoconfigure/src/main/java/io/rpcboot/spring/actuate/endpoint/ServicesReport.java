package io.rpcboot.spring.actuate.endpoint;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.descriptor.MethodStatsDescriptor;
import io.rpcboot.spring.actuate.descriptor.OfferedServiceDescriptor;
import org.jspecify.annotations.Nullable;

/** Report of the services that this process offers. */
final class ServicesReport {

	/** Calls of a method from which on its 99th percentile is used. */
	private static final int ENOUGH_FOR_P99 = 100;

	private final RpcBeans beans;

	private final MethodsReport methods;

	private final EffectiveOptionsReport policies;

	ServicesReport(RpcBeans beans, MethodsReport methods, EffectiveOptionsReport policies) {
		this.beans = beans;
		this.methods = methods;
		this.policies = policies;
	}

	OfferedServiceDescriptor.Lines all() {
		RpcHistory history = this.beans.history();
		Map<String, Sum> sums = new HashMap<>();
		if (history != null) {
			history.methods()
				.stream()
				.filter((each) -> each.side() == Side.SERVER)
				.forEach((each) -> sums.computeIfAbsent(each.service(), (first) -> new Sum()).add(each));
		}
		return new OfferedServiceDescriptor.Lines(offered().stream()
			.map((info) -> line(info,
					(history != null) ? sums.getOrDefault(info.service().toString(), new Sum()) : null))
			.sorted(Comparator.comparing((OfferedServiceDescriptor.Line each) -> -each.calls())
				.thenComparing(OfferedServiceDescriptor.Line::service))
			.toList());
	}

	private static OfferedServiceDescriptor.Line line(ServiceInfo info, @Nullable Sum sum) {
		String service = info.service().toString();
		if (sum == null) {
			return new OfferedServiceDescriptor.Line(service, info.methods().size(), null, null, null, info.calls());
		}
		return new OfferedServiceDescriptor.Line(service, info.methods().size(),
				MethodStatsDescriptor.rate(sum.callsPerSecond), MethodStatsDescriptor.rate(sum.errorsPerSecond),
				Formats.millis(sum.p99Nanos), info.calls());
	}

	/** Returns the identities of the offered services. */
	List<String> names() {
		return offered().stream().map((each) -> each.service().toString()).toList();
	}

	/** Returns an offered service; null if there is none. */
	@Nullable OfferedServiceDescriptor one(String name) {
		String service = ElementNames.service(names(), name);
		return offered().stream()
			.filter((each) -> each.service().toString().equals(service))
			.map((info) -> OfferedServiceDescriptor.of(info, this.policies.ofService(info),
					this.methods.of(Side.SERVER, info.service().toString()), this.beans.rules(info.service())))
			.findFirst()
			.orElse(null);
	}

	private List<ServiceInfo> offered() {
		RpcServer server = this.beans.server();
		return (server != null) ? server.services() : List.of();
	}

	/** Sums over the methods of a service. */
	private static final class Sum {

		private double callsPerSecond;

		private double errorsPerSecond;

		private long p99Nanos;

		void add(MethodStats method) {
			this.callsPerSecond += method.callsPerSecond();
			this.errorsPerSecond += method.errorsPerSecond();
			if (method.calls() >= ENOUGH_FOR_P99) {
				this.p99Nanos = Math.max(this.p99Nanos, method.p99Nanos());
			}
		}

	}

}
