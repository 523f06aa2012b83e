package io.rpcboot.server;

import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

/**
 * An offered service, for people and dashboards.
 *
 * @param service the service
 * @param methods its methods by signature
 * @param contractHash the hash of its contract under the first serializer; a client with
 * another is translated
 * @param serializers names of the serializers that clients may choose
 * @param maxThreads most threads of the pool that run its calls, null for no limit of its
 * own
 * @param methodMaxThreads the same for its methods that have such a limit, by name
 * @param dispatch which thread runs each method, in the order of the methods
 * @param idempotent whether each method may run more than once for one call, in the same
 * order
 * @param interceptors what stands around its calls beside the interceptors of the server,
 * by class
 * @param calls calls answered so far
 */
public record ServiceInfo(ServiceId service, List<String> methods, String contractHash, List<String> serializers,
		@Nullable Integer maxThreads, Map<String, Integer> methodMaxThreads, List<Dispatch> dispatch,
		List<Boolean> idempotent, List<String> interceptors, long calls) {
}
