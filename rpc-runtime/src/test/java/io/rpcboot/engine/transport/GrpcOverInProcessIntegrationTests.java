package io.rpcboot.engine.transport;

import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;

class GrpcOverInProcessIntegrationTests extends AbstractEngineContract {

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.IN_PROCESS;
	}

	@Override
	Protocol protocol() {
		return Protocol.GRPC;
	}

}
