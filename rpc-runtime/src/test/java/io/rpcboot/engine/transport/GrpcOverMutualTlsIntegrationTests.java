package io.rpcboot.engine.transport;

import io.rpcboot.transport.Protocol;

class GrpcOverMutualTlsIntegrationTests extends MutualTlsEngineIntegrationTests {

	@Override
	Protocol protocol() {
		return Protocol.GRPC;
	}

}
