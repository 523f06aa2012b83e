package io.rpcboot.engine.transport;

import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class GrpcOverEpollIntegrationTests extends AbstractEngineContract {

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.EPOLL;
	}

	@Override
	Protocol protocol() {
		return Protocol.GRPC;
	}

}
