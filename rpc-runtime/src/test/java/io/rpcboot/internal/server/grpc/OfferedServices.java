package io.rpcboot.internal.server.grpc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.services.ServiceRegistration;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.ServiceOptions;

/** Services of a server without a socket. */
public final class OfferedServices {

	/** Category of the log. */
	static final String LOG = OfferedServices.class.getName();

	/** Reads compressed requests of up to 1,000 bytes. */
	static final GzipMessages GZIP = new GzipMessages(Side.SERVER, 1000, new MemoryBudget(1 << 30, 0));

	/** Knows no file: the tests send no JSON. */
	static final JsonMessages JSON = new JsonMessages(List::of, false, 1000);

	private OfferedServices() {
	}

	static List<OfferedService> of(ServiceDescriptor... services) {
		Map<ServiceDescriptor, ServiceRegistration> offered = new LinkedHashMap<>();
		for (ServiceDescriptor each : services) {
			offered.put(each, new ServiceRegistration(Object::new, ServiceOptions.defaults()));
		}
		return table(offered).offered();
	}

	static HostedService hosted(GrpcServiceDefinition service) {
		return HostedService
			.among(table(Map.of(HostedService.descriptor(service),
					HostedService.registration(service, ServiceOptions.defaults())))
				.offered())
			.get(0);
	}

	static ServiceTable table(Map<ServiceDescriptor, ServiceRegistration> offered) {
		return new ServiceTable(offered, List.of(new ProtostuffSerializer()), Dispatch.POOL,
				Bulkhead.of(offered.size(), false, 20, 100), RpcMetrics.none(), new MemoryBudget(1 << 30, 0), log(),
				List.of());
	}

	static List<OfferedService> of(Class<?>... services) {
		return of(Stream.of(services).map(ServiceDescriptor::of).toArray(ServiceDescriptor[]::new));
	}

	static GrpcServices grpc(List<OfferedService> services) {
		return new GrpcServices(services, GrpcOptions.defaults(), log());
	}

	/** Returns the table of services. */
	static GrpcMethods methods(ServiceDescriptor... services) {
		return new GrpcMethods(grpc(of(services)), List.of(), Map.of(), GZIP, JSON);
	}

	/** Returns the table of services without version and group. */
	public static GrpcMethods methods(Class<?>... services) {
		return new GrpcMethods(grpc(of(services)), List.of(), Map.of(), GZIP, JSON);
	}

	private static RateLimitedLogger log() {
		return new RateLimitedLogger(LOG, System::nanoTime);
	}

}
