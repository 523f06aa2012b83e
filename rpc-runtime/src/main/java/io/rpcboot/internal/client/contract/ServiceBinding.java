package io.rpcboot.internal.client.contract;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.transport.Protocol;

/**
 * Service that this client calls with one serializer.
 *
 * @param protocol protocol of the calls
 * @param serializer name of the serializer
 * @param firstNumber number of its first method, the same on every connection
 */
public record ServiceBinding(ServiceDescriptor service, Protocol protocol, String serializer, ServiceCodec codec,
		int firstNumber) {
}
