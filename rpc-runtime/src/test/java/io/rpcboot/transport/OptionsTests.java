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

	private static final BatchingOptions BATCHING = BatchingOptions.defaults();

	private static final EventLoopOptions LOOPS = EventLoopOptions.defaults();

	private static final SocketOptions SOCKET = SocketOptions.defaults();

	private static final MemoryOptions MEMORY = MemoryOptions.defaults();

	static Stream<Arguments> wrongValues() {
		return Stream.of(wrong("batching.max-messages", "0", "1 or more", () -> BATCHING.withMaxMessages(0)),
				wrong("batching.max-bytes", "1023", "1024 (1KB) or more", () -> BATCHING.withMaxBytes(1023)),
				wrong("batching.max-delay", "PT0S", "more than 0 and at most 100ms",
						() -> BATCHING.withMaxDelay(Duration.ZERO)),
				wrong("batching.max-delay", "PT-0.001S", "more than 0 and at most 100ms",
						() -> BATCHING.withMaxDelay(Duration.ofMillis(-1))),
				wrong("batching.max-delay", "PT0.101S", "more than 0 and at most 100ms",
						() -> BATCHING.withMaxDelay(Duration.ofMillis(101))),
				wrong("event-loop.threads", "-1", "0 (automatic) or more", () -> LOOPS.withThreads(-1)),
				wrong("event-loop.acceptor-threads", "0", "1 or more", () -> LOOPS.withAcceptorThreads(0)),
				wrong("socket.send-buffer", "-1", "0 (the system's own) or more bytes",
						() -> SOCKET.withSendBuffer(-1)),
				wrong("socket.receive-buffer", "-1", "0 (the system's own) or more bytes",
						() -> SOCKET.withReceiveBuffer(-1)),
				wrong("socket.backlog", "0", "1 or more", () -> SOCKET.withBacklog(0)),
				wrong("socket.low-water-mark", "0", "1 byte or more", () -> SOCKET.withWaterMarks(0, 1)),
				wrong("socket.high-water-mark", "9", "at least socket.low-water-mark, which is 10",
						() -> SOCKET.withWaterMarks(10, 9)),
				wrong("memory.limit", "-1", "0 (a quarter of the heap) or more bytes", () -> MEMORY.withLimit(-1)),
				wrong("memory.least-rate", "-1", "0 (any rate) or more bytes in a second",
						() -> MEMORY.withLeastRate(-1)));
	}

	private static Arguments wrong(String name, String value, String expected, ThrowingCallable creation) {
		return arguments(name, value, expected, creation);
	}

	@ParameterizedTest(name = "{0} = {1}")
	@MethodSource("wrongValues")
	void invalidOption_isRejected_withItsRule(String name, String value, String expected, ThrowingCallable creation) {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(creation)
			.withMessage("%s: %s (expected: %s)", name, value, expected)
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo(name))
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo("Set %s to %s.", name, expected));
	}

	@Test
	void boundaryValues_areAccepted() {
		assertThatNoException().isThrownBy(() -> {
			BATCHING.withMaxMessages(1).withMaxBytes(1024).withMaxDelay(Duration.ofMillis(100));
			BATCHING.withMaxMessages(Integer.MAX_VALUE)
				.withMaxBytes(Integer.MAX_VALUE)
				.withMaxDelay(Duration.ofNanos(1));
			LOOPS.withThreads(0).withAcceptorThreads(1);
			SOCKET.withSendBuffer(0).withReceiveBuffer(0).withBacklog(1).withWaterMarks(1, 1);
			MEMORY.withLimit(0).withLeastRate(0);
		});
	}

	@Test
	void defaults_areDocumentedValues() {
		assertThat(BATCHING.mode()).isEqualTo(Mode.AUTO);
		assertThat(BATCHING.maxMessages()).isEqualTo(512);
		assertThat(BATCHING.maxBytes()).isEqualTo(131072);
		assertThat(BATCHING.maxDelay()).isEqualTo(Duration.ofMillis(1));
		assertThat(LOOPS.threads()).isZero();
		assertThat(SOCKET.tcpNoDelay()).isTrue();
		assertThat(SOCKET.allocator()).isEqualTo(Allocator.POOLED);
	}

	@Test
	void changedCopy_keepsOtherValuesAndOriginal() {
		SocketOptions changed = SOCKET.withTcpNoDelay(false)
			.withSendBuffer(1)
			.withReceiveBuffer(2)
			.withBacklog(3)
			.withWaterMarks(4, 5)
			.withAllocator(Allocator.UNPOOLED);
		assertThat(changed.tcpNoDelay()).isFalse();
		assertThat(changed.sendBuffer()).isEqualTo(1);
		assertThat(changed.receiveBuffer()).isEqualTo(2);
		assertThat(changed.backlog()).isEqualTo(3);
		assertThat(changed.lowWaterMark()).isEqualTo(4);
		assertThat(changed.highWaterMark()).isEqualTo(5);
		assertThat(changed.allocator()).isEqualTo(Allocator.UNPOOLED);
		assertThat(SOCKET.tcpNoDelay()).isTrue();
		assertThat(SOCKET.sendBuffer()).isZero();
	}

	@Test
	void batchingOptions_areEqualByValue() {
		BatchingOptions one = BATCHING.withMode(Mode.ALWAYS)
			.withMaxMessages(7)
			.withMaxBytes(7000)
			.withMaxDelay(Duration.ofMillis(7));
		assertThat(one).isEqualTo(
				BATCHING.withMaxDelay(Duration.ofMillis(7)).withMaxBytes(7000).withMaxMessages(7).withMode(Mode.ALWAYS))
			.hasSameHashCodeAs(one.withMode(Mode.ALWAYS));
		assertThat(Stream.of(one.withMode(Mode.AUTO), one.withMaxMessages(8), one.withMaxBytes(8000),
				one.withMaxDelay(Duration.ofMillis(8))))
			.doesNotContain(one);
	}

}
