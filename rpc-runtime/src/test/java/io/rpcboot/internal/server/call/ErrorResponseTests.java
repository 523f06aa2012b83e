package io.rpcboot.internal.server.call;

import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.server.ExceptionExposure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the messages of calls that have no result. */
class ErrorResponseTests {

	static Stream<String> messagesOfExceptionsWithoutMessage() {
		return Stream.of(
				ErrorResponse.ofApplication(new RpcException(RpcStatus.UNAUTHENTICATED, null, false), false).message(),
				ErrorResponse.ofUndeclared(new IllegalStateException(), ExceptionExposure.MESSAGE).message(),
				ErrorResponse.ofSerialization(new SerializationException(null), null).message(),
				ErrorResponse.unreadable(new SerializationException(null)),
				ErrorResponse.unreadable(new IllegalStateException()));
	}

	@ParameterizedTest
	@MethodSource("messagesOfExceptionsWithoutMessage")
	void message_isComplete_whenExceptionHasNone(String message) {
		assertThat(message).isNotBlank().doesNotContainPattern("\\bnull\\b").doesNotEndWith(": ");
	}

}
