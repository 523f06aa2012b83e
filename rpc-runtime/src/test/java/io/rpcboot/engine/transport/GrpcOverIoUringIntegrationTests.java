package io.rpcboot.engine.transport;

import io.netty.channel.uring.IoUring;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.condition.EnabledIf;

/** A kernel may not have it, and a container may forbid it. */
@EnabledIf("isAvailable")
class GrpcOverIoUringIntegrationTests extends AbstractEngineContract {

	static boolean isAvailable() {
		return IoUring.isAvailable();
	}

	@Override
	EventLoopOptions.Transport transport() {
		return EventLoopOptions.Transport.IO_URING;
	}

	@Override
	Protocol protocol() {
		return Protocol.GRPC;
	}

}
