package io.rpcboot.grpc;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.rpcboot.server.GrpcHandler;
import io.rpcboot.server.GrpcServiceDefinition;

/**
 * Turns services of grpc-java into services of a server.
 *
 * <pre>{@code
 * RpcServer.builder()
 *     .grpcService(BindableServices.of(new UsersImpl()), ServiceOptions.defaults())
 *     .start();
 * }</pre>
 *
 * Methods with one request and one response run with their interceptors and
 * {@code io.grpc.Context}; calls of others fail with UNIMPLEMENTED. Reflection tells
 * clients the files of the services.
 *
 * @since 0.1.0
 */
public final class BindableServices {

	private BindableServices() {
	}

	/**
	 * Returns a service as a server offers it.
	 * @param service the service, such as a subclass of a generated {@code ImplBase}
	 * @return its definition
	 */
	public static GrpcServiceDefinition of(BindableService service) {
		return of(service.bindService());
	}

	/**
	 * Returns a service as a server offers it.
	 * @param service the service, with its interceptors
	 * @return its definition
	 */
	public static GrpcServiceDefinition of(ServerServiceDefinition service) {
		Map<String, GrpcHandler> methods = new HashMap<>();
		Set<String> streams = new HashSet<>();
		for (ServerMethodDefinition<?, ?> each : service.getMethods()) {
			MethodDescriptor<?, ?> method = each.getMethodDescriptor();
			String name = method.getFullMethodName().substring(method.getFullMethodName().lastIndexOf('/') + 1);
			if (method.getType() == MethodType.UNARY) {
				methods.put(name, handler(each));
			}
			else {
				streams.add(name);
			}
		}
		ServiceDescriptor declared = service.getServiceDescriptor();
		return new GrpcServiceDefinition(declared.getName(), methods, streams,
				() -> GeneratedFiles.of(declared.getSchemaDescriptor()));
	}

	private static <Q, A> GrpcHandler handler(ServerMethodDefinition<Q, A> method) {
		return (call) -> new UnaryServerCall<>(call, method).start();
	}

}
