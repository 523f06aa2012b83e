package io.rpcboot.server;

import java.util.Map;
import java.util.Set;

/**
 * Service that is offered over gRPC alone, because no Java interface declares it: such as
 * one that protoc has generated. Its calls go through all that those of other services go
 * through.
 *
 * @param name full name, such as {@code com.acme.Users}
 * @param methods methods with one request and one response, by name such as
 * {@code GetUser}
 * @param streams names of the other methods, whose calls fail with
 * {@link io.rpcboot.RpcStatus#UNIMPLEMENTED}
 * @since 0.1.0
 */
public record GrpcServiceDefinition(String name, Map<String, GrpcHandler> methods, Set<String> streams) {

	/**
	 * Creates a definition.
	 */
	public GrpcServiceDefinition {
		methods = Map.copyOf(methods);
		streams = Set.copyOf(streams);
	}

}
