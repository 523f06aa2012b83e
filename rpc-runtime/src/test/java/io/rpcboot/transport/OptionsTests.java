package io.rpcboot.transport;

import java.time.Duration;
import java.util.stream.Stream;

import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.Options.InvalidOptionException;
import io.rpcboot.transport.SocketOptions.Allocator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class OptionsTests {

	private static final Duration MILLI = Duration.ofMillis(1);

	static Stream<Arguments> wrongValues() {
		return Stream.of(
				wrong("batching.max-messages", "0", "1 or more", () -> new BatchingOptions(Mode.AUTO, 0, 1024, MILLI)),
				wrong("batching.max-bytes", "1023", "1024 (1KB) or more",
						() -> new BatchingOptions(Mode.AUTO, 1, 1023, MILLI)),
				wrong("batching.max-delay", "PT0S", "more than 0 and at most 100ms",
						() -> new BatchingOptions(Mode.AUTO, 1, 1024, Duration.ZERO)),
				wrong("batching.max-delay", "PT-0.001S", "more than 0 and at most 100ms",
						() -> new BatchingOptions(Mode.AUTO, 1, 1024, Duration.ofMillis(-1))),
				wrong("batching.max-delay", "PT0.101S", "more than 0 and at most 100ms",
						() -> new BatchingOptions(Mode.AUTO, 1, 1024, Duration.ofMillis(101))),
				wrong("event-loop.threads", "-1", "0 (automatic) or more",
						() -> new EventLoopOptions(EventLoopOptions.Transport.AUTO, -1, 1)),
				wrong("event-loop.acceptor-threads", "0", "1 or more",
						() -> new EventLoopOptions(EventLoopOptions.Transport.AUTO, 0, 0)),
				wrong("socket.send-buffer", "-1", "0 (the system's own) or more bytes",
						() -> new SocketOptions(true, -1, 0, 1, 1, 1, Allocator.POOLED)),
				wrong("socket.receive-buffer", "-1", "0 (the system's own) or more bytes",
						() -> new SocketOptions(true, 0, -1, 1, 1, 1, Allocator.POOLED)),
				wrong("socket.backlog", "0", "1 or more",
						() -> new SocketOptions(true, 0, 0, 0, 1, 1, Allocator.POOLED)),
				wrong("socket.low-water-mark", "0", "1 byte or more",
						() -> new SocketOptions(true, 0, 0, 1, 0, 1, Allocator.POOLED)),
				wrong("socket.high-water-mark", "9", "at least socket.low-water-mark, which is 10",
						() -> new SocketOptions(true, 0, 0, 1, 10, 9, Allocator.POOLED)));
	}

	private static Arguments wrong(String name, String value, String expected, ThrowingCallable creation) {
		return arguments(name, value, expected, creation);
	}

	@ParameterizedTest(name = "{0} = {1}")
	@MethodSource("wrongValues")
	void wrongValueIsNamedWithItsRule(String name, String value, String expected, ThrowingCallable creation) {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(creation)
			.withMessage("%s: %s (expected: %s)", name, value, expected)
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo(name))
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo("Set %s to %s.", name, expected));
	}

	@Test
	void boundsThemselvesAreAllowed() {
		assertThatNoException().isThrownBy(() -> {
			new BatchingOptions(Mode.ALWAYS, 1, 1024, Duration.ofMillis(100));
			new BatchingOptions(Mode.NEVER, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofNanos(1));
			new EventLoopOptions(EventLoopOptions.Transport.NIO, 0, 1);
			new SocketOptions(false, 0, 0, 1, 1, 1, Allocator.POOLED);
		});
	}

	@Test
	void defaultsAreValid() {
		assertThat(BatchingOptions.defaults()).isEqualTo(new BatchingOptions(Mode.AUTO, 512, 131072, MILLI));
		assertThat(EventLoopOptions.defaults().threads()).isZero();
		assertThat(SocketOptions.defaults().tcpNoDelay()).isTrue();
		assertThat(SocketOptions.defaults().allocator()).isEqualTo(Allocator.POOLED);
	}

}
