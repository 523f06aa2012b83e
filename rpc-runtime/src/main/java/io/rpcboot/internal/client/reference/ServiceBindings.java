package io.rpcboot.internal.client.reference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Bindings of the references of a client, with their method numbers on the wire. One
 * thread at a time.
 */
public final class ServiceBindings {

	/** Bound of the method number on the wire. */
	private static final int MAX_METHODS = 65_536;

	/** Services that a server accepts on one connection. */
	private static final int MAX_BINDINGS = 4096;

	private final Serializer serializer;

	private final Serializer grpcSerializer;

	private final Protocol protocol;

	private final Set<String> serializers;

	private final Map<BindingKey, ServiceBinding> bindings = new HashMap<>();

	/** Number on the wire of the first method of the next binding. */
	private int nextNumber;

	/**
	 * Creates an empty set of bindings.
	 * @param serializer default of references with the native protocol
	 * @param grpcSerializer serializer of references with gRPC
	 * @param protocol default of references
	 * @param serializers gets the names of the serializers of the native protocol
	 */
	public ServiceBindings(Serializer serializer, Serializer grpcSerializer, Protocol protocol,
			Set<String> serializers) {
		this.serializer = serializer;
		this.grpcSerializer = grpcSerializer;
		this.protocol = protocol;
		this.serializers = serializers;
	}

	/**
	 * Key of a binding, which has its own method numbers on the wire.
	 *
	 * @param methods number of methods: a part of a service has fewer
	 */
	private record BindingKey(Protocol protocol, ServiceId service, Class<?> type, Serializer serializer, int methods) {
	}

	/**
	 * Returns the binding for a reference; references may share it.
	 * @throws RpcConfigurationException if the serializer does not fit the protocol, a
	 * type cannot be serialized, or there are too many bindings
	 */
	public ServiceBinding bind(ServiceDescriptor service, ReferenceOptions options) {
		Protocol used = (options.protocol() != null) ? options.protocol() : this.protocol;
		return bind(service, used, serializerOf(options, used));
	}

	/**
	 * Returns the binding for the methods of a native reference that have streams, which
	 * HTTP/2 carries.
	 * @return null if there are none, or the reference itself uses HTTP/2
	 * @throws RpcConfigurationException if protobuf does not carry one
	 */
	private @Nullable ServiceBinding bindStreams(ServiceDescriptor all, Protocol used) {
		List<MethodDescriptor> streaming = new ArrayList<>();
		for (MethodDescriptor each : all.methods()) {
			if (each.isStreaming()) {
				streaming.add(new MethodDescriptor(each.service(), streaming.size(), each.method(), each.style(),
						each.declaredExceptions(), each.timeout(), each.isIdempotent(), each.name()));
			}
		}
		return (used == Protocol.GRPC || streaming.isEmpty()) ? null
				: bind(new ServiceDescriptor(all.id(), all.type(), List.copyOf(streaming)), Protocol.GRPC,
						this.grpcSerializer);
	}

	private ServiceBinding bind(ServiceDescriptor service, Protocol used, Serializer chosen) {
		BindingKey key = new BindingKey(used, service.id(), service.type(), chosen, service.methods().size());
		ServiceBinding known = this.bindings.get(key);
		if (known != null) {
			return known;
		}
		ServiceBinding streams = bindStreams(service, used);
		if (this.nextNumber + service.methods().size() > MAX_METHODS) {
			throw new RpcConfigurationException(
					"The references of this client have more than %d methods".formatted(MAX_METHODS),
					"Use several clients.");
		}
		if (this.bindings.size() >= MAX_BINDINGS) {
			throw new RpcConfigurationException(
					"The references of this client name more than %d pairs of service and serializer"
						.formatted(MAX_BINDINGS),
					"Make each Serializer once and share it between references.");
		}
		ServiceCodec codec = chosen.codec(service);
		ServiceBinding binding = ServiceBinding.of(service, used, chosen.name(), codec, this.nextNumber, streams);
		this.nextNumber += service.methods().size();
		this.bindings.put(key, binding);
		if (used == Protocol.NATIVE) {
			this.serializers.add(chosen.name());
		}
		return binding;
	}

	private Serializer serializerOf(ReferenceOptions options, Protocol used) {
		Serializer own = options.serializer();
		if (used == Protocol.NATIVE) {
			return (own != null) ? own : this.serializer;
		}
		Options.require(own == null, "serializer", "'" + ((own != null) ? own.name() : "") + "'",
				"none with protocol grpc, whose messages are protobuf; remove serializer, or set protocol to native");
		return this.grpcSerializer;
	}

}
