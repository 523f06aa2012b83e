package io.rpcboot.internal.server.grpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.server.openapi.ApiService;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.serialization.UnsupportedTypeException;
import org.jspecify.annotations.Nullable;

/**
 * Interface that is offered over gRPC. Thread-safe.
 */
final class GrpcService {

	private final List<OfferedService> offered;

	/** Numbers of the methods that protobuf cannot carry. */
	private final Set<Integer> uncarried;

	private final Supplier<ProtobufCodec> factory;

	/** Codec of the methods; null until a call or a file needs it. */
	private volatile @Nullable ProtobufCodec codec;

	/**
	 * Creates an interface.
	 * @param offered its services, which differ in version or group; one or more
	 * @param findings reasons why methods are not carried, by their numbers
	 * @param factory compiles the codec
	 */
	GrpcService(List<OfferedService> offered, Map<Integer, UnsupportedTypeException> findings,
			Supplier<ProtobufCodec> factory) {
		this.offered = offered;
		this.uncarried = findings.keySet();
		this.factory = factory;
	}

	/** Returns the full name. */
	String name() {
		return ProtobufCodec.name(this.offered.get(0).service().type());
	}

	List<OfferedService> offered() {
		return this.offered;
	}

	/** Returns the service as a document has it. */
	ApiService described() {
		List<ApiService.Method> described = new ArrayList<>();
		List<String> streams = new ArrayList<>();
		for (MethodDescriptor each : methods()) {
			String name = ProtobufCodec.methodName(each);
			if (each.isStreaming()) {
				streams.add(name);
			}
			else {
				described.add(new ApiService.Method(name, each));
			}
		}
		return new ApiService(name(), this.offered.stream().map((each) -> each.service().id()).toList(), described,
				streams);
	}

	/** Returns the methods that protobuf can carry. */
	List<MethodDescriptor> methods() {
		List<MethodDescriptor> carried = new ArrayList<>(this.offered.get(0).service().methods());
		carried.removeIf((each) -> this.uncarried.contains(each.number()));
		return carried;
	}

	/** Returns the codec, compiled by the first thread. */
	ProtobufCodec codec() {
		ProtobufCodec known = this.codec;
		return (known != null) ? known : compile();
	}

	private synchronized ProtobufCodec compile() {
		ProtobufCodec known = this.codec;
		if (known == null) {
			known = this.factory.get();
			this.codec = known;
		}
		return known;
	}

}
