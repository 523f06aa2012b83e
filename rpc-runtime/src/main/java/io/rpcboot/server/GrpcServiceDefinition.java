package io.rpcboot.server;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.rpcboot.serialization.ProtoDescriptor;

/**
 * Service that is offered over gRPC alone, because no Java interface declares it: such as
 * one that protoc has generated. Its calls go through all that those of other services go
 * through.
 *
 * @param name full name, such as {@code com.acme.Users}
 * @param methods methods with one request and one response, by name such as
 * {@code GetUser}
 * @param streams the other methods, by name
 * @param files returns the file that declares the service, none if it is not known;
 * called by the first client that asks reflection and the first that sends JSON, and for
 * each OpenAPI document
 * @since 0.1.0
 */
public record GrpcServiceDefinition(String name, Map<String, GrpcHandler> methods,
		Map<String, GrpcStreamHandler> streams, Supplier<List<ProtoDescriptor>> files) {

	/**
	 * Creates a definition.
	 */
	public GrpcServiceDefinition {
		methods = Map.copyOf(methods);
		streams = Map.copyOf(streams);
	}

	/**
	 * Creates a definition without a file.
	 * @param name full name
	 * @param methods methods with one request and one response
	 * @param streams the other methods
	 */
	public GrpcServiceDefinition(String name, Map<String, GrpcHandler> methods,
			Map<String, GrpcStreamHandler> streams) {
		this(name, methods, streams, List::of);
	}

}
