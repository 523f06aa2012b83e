package io.rpcboot.engine.transport;

import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.Tag;

@Tag("jdk25")
class NioEngineIntegrationTests extends AbstractEngineContract {

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.NIO;
	}

}
