package io.rpcboot.spring.actuate.descriptor;

import java.util.List;
import java.util.Map;

import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceInfo;
import org.jspecify.annotations.Nullable;

/**
 * A service that is offered.
 *
 * @param service its identity: {@code name[:version][@group]}
 * @param signatures its methods by signature
 * @param dispatch which thread runs each of them
 * @param contractHash the hash of its contract; clients with another are translated
 * @param serializers what clients may choose from
 * @param maxThreads most threads of the pool that run its calls, null for no limit of its
 * own
 * @param methodMaxThreads the same for its methods that have such a limit, by name
 * @param policy what is in force for it and its methods, and who says so
 * @param calls calls answered so far
 * @param methods those of its methods that were called, null without a history
 */
public record OfferedServiceDescriptor(String service, List<String> signatures, List<Dispatch> dispatch,
		String contractHash, List<String> serializers, @Nullable Integer maxThreads,
		Map<String, Integer> methodMaxThreads, PolicyDescriptor policy, long calls,
		@Nullable List<MethodStatsDescriptor> methods) {

	public static OfferedServiceDescriptor of(ServiceInfo info, PolicyDescriptor policy,
			@Nullable List<MethodStatsDescriptor> methods) {
		return new OfferedServiceDescriptor(info.service().toString(), info.methods(), info.dispatch(),
				info.contractHash(), info.serializers(), info.maxThreads(), info.methodMaxThreads(), policy,
				info.calls(), methods);
	}

	/**
	 * One of many.
	 *
	 * @param service its identity
	 * @param methods the number of its methods
	 * @param callsPerSecond calls in a second, of the last minute; null without a history
	 * @param errorsPerSecond calls in a second that failed
	 * @param p99Millis that of its slowest method
	 * @param calls calls answered so far
	 */
	public record Line(String service, int methods, @Nullable Double callsPerSecond, @Nullable Double errorsPerSecond,
			@Nullable Double p99Millis, long calls) {
	}

	/**
	 * All of them.
	 *
	 * @param services the busiest first
	 */
	public record Lines(List<Line> services) {
	}

}
