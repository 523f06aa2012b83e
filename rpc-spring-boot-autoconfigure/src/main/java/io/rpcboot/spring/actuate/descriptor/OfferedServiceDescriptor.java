package io.rpcboot.spring.actuate.descriptor;

import java.util.List;
import java.util.Map;

import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceInfo;
import org.jspecify.annotations.Nullable;

/**
 * A service that this process offers.
 *
 * @param service its identity: {@code name[:version][@group]}
 * @param signatures signatures of its methods
 * @param dispatch dispatch of each method, in the order of signatures
 * @param contractHash hash of the contract; messages of clients with another hash are
 * translated
 * @param serializers serializers that clients may choose from
 * @param maxThreads most pool threads for its calls, null for no limit
 * @param methodMaxThreads most pool threads by method name, for methods with a limit
 * @param maxStreams most open streams, null for those that the server allows
 * @param openStreams open streams
 * @param policy effective options of the service and their sources
 * @param calls calls answered since the start
 * @param methods statistics of the methods that were called, null without a history
 * @param grpcName full name of the service in gRPC, null if it is not offered there
 * @param allow callers that may call it by a list, null without a list
 * @param rules rules that may decide about its calls, in their order; empty for none, and
 * for an authorizer of the application that does not tell
 * @since 0.1.0
 */
public record OfferedServiceDescriptor(String service, List<String> signatures, List<Dispatch> dispatch,
		String contractHash, List<String> serializers, @Nullable Integer maxThreads,
		Map<String, Integer> methodMaxThreads, @Nullable Integer maxStreams, int openStreams, PolicyDescriptor policy,
		long calls, @Nullable List<MethodStatsDescriptor> methods, @Nullable String grpcName,
		@Nullable List<String> allow, List<String> rules) {

	public static OfferedServiceDescriptor of(ServiceInfo info, PolicyDescriptor policy,
			@Nullable List<MethodStatsDescriptor> methods, List<String> rules) {
		return new OfferedServiceDescriptor(info.service().toString(), info.methods(), info.dispatch(),
				info.contractHash(), info.serializers(), info.maxThreads(), info.methodMaxThreads(), info.maxStreams(),
				info.openStreams(), policy, info.calls(), methods, info.grpcName(), info.allow(), rules);
	}

	/**
	 * Short form of a service in the list.
	 *
	 * @param service its identity
	 * @param methods number of its methods
	 * @param callsPerSecond rate of calls in the last minute, null without a history
	 * @param errorsPerSecond rate of failed calls
	 * @param p99Millis 99th percentile of its slowest method
	 * @param calls calls answered since the start
	 */
	public record Line(String service, int methods, @Nullable Double callsPerSecond, @Nullable Double errorsPerSecond,
			@Nullable Double p99Millis, long calls) {
	}

	/**
	 * The list of services.
	 *
	 * @param services busiest first
	 */
	public record Lines(List<Line> services) {
	}

}
