package io.rpcboot.engine.transport;

import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Tag;

@Tag("jdk25")
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
