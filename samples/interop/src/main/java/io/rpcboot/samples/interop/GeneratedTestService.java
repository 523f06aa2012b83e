package io.rpcboot.samples.interop;

import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.rpcboot.RpcContract;

/** The unary methods of {@code grpc.testing.TestService}, with its generated messages. */
@RpcContract(name = "grpc.testing.TestService")
public interface GeneratedTestService {

	/** Does nothing. */
	Empty emptyCall(Empty request);

	/** Returns a body of the requested size, or fails with the requested status. */
	SimpleResponse unaryCall(SimpleRequest request);

	/** Is offered by no server. */
	Empty unimplementedCall(Empty request);

}
