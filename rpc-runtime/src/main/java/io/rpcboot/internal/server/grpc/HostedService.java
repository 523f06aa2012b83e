package io.rpcboot.internal.server.grpc;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Flow;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.server.openapi.ApiService;
import io.rpcboot.internal.server.services.ServiceRegistration;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.ServiceOptions;

/**
 * Service that no interface declares. All its methods are {@link HostedCall#call} or
 * {@link HostedCall#exchange}, under their own names. Immutable.
 */
public final class HostedService {

	private static final Method CALL = method("call", byte[].class);

	private static final Method EXCHANGE = method("exchange", Flow.Publisher.class);

	private final GrpcServiceDefinition definition;

	private final OfferedService offered;

	private HostedService(OfferedService offered) {
		this.definition = (GrpcServiceDefinition) Objects.requireNonNull(offered.implementation().get());
		this.offered = offered;
	}

	private static Method method(String name, Class<?> parameter) {
		try {
			return HostedCall.class.getMethod(name, parameter);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns a definition as the table of services knows services. */
	public static ServiceDescriptor descriptor(GrpcServiceDefinition definition) {
		ServiceId id = new ServiceId(definition.name(), "", "");
		List<MethodDescriptor> methods = new ArrayList<>();
		Set<String> names = new TreeSet<>(definition.methods().keySet());
		names.addAll(definition.streams().keySet());
		for (String each : names) {
			boolean streams = definition.streams().containsKey(each);
			methods.add(new MethodDescriptor(id, methods.size(), streams ? EXCHANGE : CALL,
					streams ? MethodDescriptor.Style.STREAM : MethodDescriptor.Style.FUTURE, List.of(), null, false,
					each));
		}
		return new ServiceDescriptor(id, HostedCall.class, List.copyOf(methods));
	}

	/** Returns a definition to be offered with some options. */
	public static ServiceRegistration registration(GrpcServiceDefinition definition, ServiceOptions options) {
		return new ServiceRegistration(() -> definition, options, BytesCodec.INSTANCE);
	}

	/** Returns the services that no interface declares. */
	static List<HostedService> among(List<OfferedService> offered) {
		return offered.stream().filter(HostedService::isHosted).map(HostedService::new).toList();
	}

	static boolean isHosted(OfferedService offered) {
		return offered.service().type() == HostedCall.class;
	}

	/** Returns true for a method of such a service. */
	static boolean isCall(MethodDescriptor method) {
		return method.method().equals(CALL);
	}

	/** Returns the full name. */
	String name() {
		return this.definition.name();
	}

	/** Returns the service as a document has it. */
	ApiService described() {
		return new ApiService(name(), List.of(this.offered.service().id()),
				this.definition.methods().keySet().stream().map((each) -> new ApiService.Method(each, null)).toList(),
				List.copyOf(this.definition.streams().keySet()));
	}

	GrpcServiceDefinition definition() {
		return this.definition;
	}

	OfferedService offered() {
		return this.offered;
	}

}
