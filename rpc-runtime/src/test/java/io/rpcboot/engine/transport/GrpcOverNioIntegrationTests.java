package io.rpcboot.engine.transport;

import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;

class GrpcOverNioIntegrationTests extends AbstractEngineContract {

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.NIO;
	}

	@Override
	Protocol protocol() {
		return Protocol.GRPC;
	}

}
