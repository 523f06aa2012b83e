package io.rpcboot.internal.client.grpc;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;

/**
 * Serializer of the references that call over gRPC. Not offered to servers of the native
 * protocol.
 *
 * @param other serializer of the other references, whose types gRPC has if it is a
 * built-in one
 * @param types additional types, if it is none
 * @param gzip reads compressed replies
 */
public record GrpcSerializer(Serializer other, TypeOptions types, GzipMessages gzip) implements Serializer {

	/** Findings in a message. */
	private static final int MAX_FINDINGS = 10;

	/**
	 * Creates a serializer.
	 * @param limit {@code max-frame-size} of the client
	 * @param budget memory of the client
	 */
	public GrpcSerializer(Serializer other, TypeOptions types, int limit, MemoryBudget budget) {
		this(other, types, new GzipMessages(Side.CLIENT, limit, budget));
	}

	@Override
	public String name() {
		return "protobuf";
	}

	/**
	 * Returns the codec of a service, all of whose methods protobuf can carry.
	 * @throws RpcConfigurationException if protobuf cannot carry a method, or a type
	 * differs from the lock of numbers
	 */
	@Override
	public ServiceCodec codec(ServiceDescriptor service) {
		List<ServiceCodec> known = List.of(this.other.codec(service));
		Map<Integer, UnsupportedTypeException> findings = ProtobufCodec.findings(service, known, this.types);
		if (!findings.isEmpty()) {
			List<UnsupportedTypeException> first = findings.values().stream().limit(MAX_FINDINGS).toList();
			if (service.methods().stream().allMatch(MethodDescriptor::isStreaming)) {
				throw new RpcConfigurationException(
						"The reference to %s has streams that protobuf does not carry: %s".formatted(service.id(),
								first.stream().map(Throwable::getMessage).collect(Collectors.joining("; "))),
						first.stream()
							.map(UnsupportedTypeException::action)
							.distinct()
							.collect(Collectors.joining(" ")));
			}
			throw new RpcConfigurationException(
					"The reference to %s cannot use protocol grpc, which carries %d of its %d methods: %s".formatted(
							service.id(), service.methods().size() - findings.size(), service.methods().size(),
							first.stream().map(Throwable::getMessage).collect(Collectors.joining("; "))),
					first.stream().map(UnsupportedTypeException::action).distinct().collect(Collectors.joining(" "))
							+ " Or set protocol to native, or call an interface without these methods.");
		}
		ClassLoader loader = service.type().getClassLoader();
		return new InflatingCodec(ProtobufCodec.of(service, known, this.types,
				NumberLock.load((loader != null) ? loader : ClassLoader.getSystemClassLoader())), this.gzip);
	}

	/** Returns the paths of the methods of a service, by their numbers. */
	public static List<String> paths(ServiceBinding binding) {
		String prefix = "/" + ProtobufCodec.name(binding.service().type()) + "/";
		return binding.service().methods().stream().map((each) -> prefix + ProtobufCodec.methodName(each)).toList();
	}

}
