package io.rpcboot.server;

import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of an offered service, for operators and dashboards.
 *
 * @param service the service
 * @param methods signatures of its methods
 * @param contractHash hash of its contract under the first serializer; clients with
 * another contract are translated
 * @param serializers names of the accepted serializers
 * @param maxThreads maximum threads of the pool that run its calls, null without a limit
 * @param methodMaxThreads maximum threads of its methods with such a limit, by name
 * @param maxStreams maximum of its open streams, null without a limit of its own
 * @param openStreams its open streams
 * @param dispatch dispatch of each method, in the order of the methods
 * @param idempotent true for each method that may run more than once for one call, in the
 * same order
 * @param interceptors class names of its interceptors, without those of the server
 * @param calls calls answered so far
 * @param grpcName full name of the service in gRPC, null if it is not offered there
 * @param allow callers that may call it, as of {@link ServiceOptions#allow()}, sorted;
 * null without a list
 * @since 0.1.0
 */
public record ServiceInfo(ServiceId service, List<String> methods, String contractHash, List<String> serializers,
		@Nullable Integer maxThreads, Map<String, Integer> methodMaxThreads, @Nullable Integer maxStreams,
		int openStreams, List<Dispatch> dispatch, List<Boolean> idempotent, List<String> interceptors, long calls,
		@Nullable String grpcName, @Nullable List<String> allow) {
}
