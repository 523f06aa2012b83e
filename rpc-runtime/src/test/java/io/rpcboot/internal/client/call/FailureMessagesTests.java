package io.rpcboot.internal.client.call;

import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.UndeclaredException;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the messages of failed calls. */
class FailureMessagesTests {

	private static final MethodDescriptor METHOD = ServiceDescriptor.of(UserService.class).methods().get(0);

	static Stream<RpcException> failuresWithoutMessage() {
		return Stream.of(FailureMessages.argumentsNotSerialized(METHOD, new IllegalStateException()),
				FailureMessages.replyNotReadable(METHOD, null, new IllegalStateException()), FailureMessages
					.undeclared(METHOD, null, new UndeclaredException("java.lang.IllegalStateException", null)));
	}

	@ParameterizedTest
	@MethodSource("failuresWithoutMessage")
	void failure_namesException_whenItHasNoMessage(RpcException failure) {
		assertThat(failure).hasMessageContaining("java.lang.IllegalStateException")
			.message()
			.doesNotContainPattern("\\bnull\\b");
	}

}
