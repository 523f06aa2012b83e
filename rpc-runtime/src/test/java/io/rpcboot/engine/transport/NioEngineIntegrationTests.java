package io.rpcboot.engine.transport;

import io.rpcboot.transport.EventLoopOptions;

class NioEngineIntegrationTests extends AbstractEngineContract {

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.NIO;
	}

}
