package io.rpcboot.engine.grpc;

import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;

import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Interfaces without names of parameters, as those of the JDK: their messages have arg0.
 */
class ParameterNamesTests {

	private static RpcServerBuilder offering() {
		return RpcServer.builder()
			.port(0)
			.service(IntBinaryOperator.class, (a, b) -> a + b)
			.service(DoubleBinaryOperator.class, (a, b) -> a + b)
			.service(Calls.class, new CallsImpl());
	}

	@Test
	void missingNames_areWarnedOf_onceForAllServices() {
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			offering().build().close();
			assertThat(log.messages()).singleElement()
				.asString()
				.contains("java.util.function.IntBinaryOperator, java.util.function.DoubleBinaryOperator")
				.contains("arg0", "-parameters")
				.doesNotContain(Calls.class.getName());
		}
	}

	@Test
	void missingNames_doNotMatter_withoutGrpc() {
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			offering().protocols(Protocol.NATIVE).build().close();
			assertThat(log.messages()).isEmpty();
		}
	}

}
