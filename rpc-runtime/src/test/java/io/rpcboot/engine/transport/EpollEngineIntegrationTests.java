package io.rpcboot.engine.transport;

import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EpollEngineIntegrationTests extends AbstractEngineContract {

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.EPOLL;
	}

}
