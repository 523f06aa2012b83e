package io.rpcboot.server;

import java.util.List;

import io.rpcboot.ServiceId;

/**
 * An offered service, for people and dashboards.
 *
 * @param service the service
 * @param methods its methods by signature
 * @param contractHash the hash that clients must have, too
 * @param calls calls answered so far
 */
public record ServiceInfo(ServiceId service, List<String> methods, String contractHash, long calls) {
}
