package io.rpcboot.internal.client.contract;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Service that this client calls with one serializer.
 *
 * @param protocol protocol of the calls
 * @param serializer name of the serializer
 * @param contract contract of the service, together with that of its streams
 * @param firstNumber number of its first method, the same on every connection
 * @param streams binding of the methods with streams, which HTTP/2 carries; null if there
 * are none, or this one carries all
 */
public record ServiceBinding(ServiceDescriptor service, Protocol protocol, String serializer, ServiceCodec codec,
		Contract contract, int firstNumber, @Nullable ServiceBinding streams) {

	/**
	 * Creates a binding.
	 * @param streams binding of the methods with streams, null without one
	 */
	public static ServiceBinding of(ServiceDescriptor service, Protocol protocol, String serializer, ServiceCodec codec,
			int firstNumber, @Nullable ServiceBinding streams) {
		Contract own = codec.contract();
		Contract ofStreams = (streams != null) ? streams.contract : null;
		Contract contract = (ofStreams != null && !ofStreams.methods().isEmpty()) ? own.withStreams(ofStreams) : own;
		return new ServiceBinding(service, protocol, serializer, codec, contract, firstNumber, streams);
	}

	/** Creates the binding of a service whose methods all have one protocol. */
	public ServiceBinding(ServiceDescriptor service, Protocol protocol, String serializer, ServiceCodec codec,
			int firstNumber) {
		this(service, protocol, serializer, codec, codec.contract(), firstNumber, null);
	}

}
