package io.rpcboot.internal.server.grpc;

import io.rpcboot.internal.server.scheduling.ServerMethod;
import org.jspecify.annotations.Nullable;

/** Method with a path of gRPC: of one or more services, or of the server itself. */
public final class GrpcMethod {

	/** Method of the only service with this path, null if there are several or none. */
	public final @Nullable ServerMethod only;

	/** Method that the server itself offers, null for a method of a service. */
	public final @Nullable StreamHandler handler;

	GrpcMethod(@Nullable ServerMethod only, @Nullable StreamHandler handler) {
		this.only = only;
		this.handler = handler;
	}

}
