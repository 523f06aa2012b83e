package io.rpcboot.server;

import java.util.List;

import io.rpcboot.ServiceId;

/**
 * An offered service, for people and dashboards.
 *
 * @param service the service
 * @param methods its methods by signature
 * @param contractHash the hash of its contract under the first serializer; a client with
 * another is translated
 * @param serializers names of the serializers that clients may choose
 * @param calls calls answered so far
 */
public record ServiceInfo(ServiceId service, List<String> methods, String contractHash, List<String> serializers,
		long calls) {
}
