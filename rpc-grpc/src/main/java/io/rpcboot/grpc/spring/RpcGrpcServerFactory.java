package io.rpcboot.grpc.spring;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import org.springframework.grpc.server.GrpcServerFactory;

/**
 * Takes the place of the factories of Spring Boot, so that none of them starts a server.
 * The server of the starter has the services.
 */
final class RpcGrpcServerFactory implements GrpcServerFactory {

	@Override
	public Server createServer() {
		throw new UnsupportedOperationException("the server of the starter has the services");
	}

	@Override
	public void addService(ServerServiceDefinition service) {
		throw new UnsupportedOperationException("service %s is added to a factory (expected: a BindableService bean)"
			.formatted(service.getServiceDescriptor().getName()));
	}

}
