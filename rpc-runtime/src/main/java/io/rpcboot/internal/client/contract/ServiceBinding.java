package io.rpcboot.internal.client.contract;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.ServiceCodec;

/**
 * Service that this client calls with one serializer.
 *
 * @param serializer name of the serializer
 * @param firstNumber number of its first method, the same on every connection
 */
public record ServiceBinding(ServiceDescriptor service, String serializer, ServiceCodec codec, int firstNumber) {
}
