package io.rpcboot.samples.interop;

import io.grpc.testing.integration.EmptyProtos.Empty;
import io.rpcboot.RpcContract;

/** Service that no server offers. */
@RpcContract(name = "grpc.testing.UnimplementedService")
public interface UnimplementedService {

	/** Is offered by no server. */
	Empty unimplementedCall(Empty request);

}
