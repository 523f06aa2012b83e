package io.rpcboot.engine.stream;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Http2Server;
import io.rpcboot.engine.fixture.peer.Http2Server.Behaviour;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.transport.Protocol;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Streams of servers that obey no rule but those of each test. */
@Timeout(120)
class StreamsOfOthersIntegrationTests {

	private static final int WINDOW = 65 * 1024;

	/** Bytes of a message with the number 7. */
	private static final int MESSAGE = 7;

	private RpcClient client;

	private Http2Server server;

	private Numbers numbers;

	private final List<Integer> arrived = new ArrayList<>();

	/** A stream of numbers. */
	public interface Numbers {

		@RpcMethod(idempotent = true)
		Flux<Integer> numbers();

		CompletableFuture<Integer> last(Flux<Integer> numbers);

	}

	private void start(Behaviour behaviour) throws Exception {
		this.server = new Http2Server(new Http2Settings(), behaviour);
		this.client = RpcClient.builder().protocol(Protocol.GRPC).timeout(Duration.ofSeconds(20)).build();
		this.numbers = this.client.reference(Numbers.class, ReferenceStates.at(this.server.port()));
	}

	@AfterEach
	void stop() throws Exception {
		Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		this.client.close();
		this.server.close();
	}

	/** Messages with the number 7, as many as wanted, and bytes behind them. */
	private static byte[] sevens(int count, byte... more) {
		byte[] all = new byte[count * 7 + more.length];
		for (int i = 0; i < count; i++) {
			all[i * 7 + 4] = 2;
			all[i * 7 + 5] = 8;
			all[i * 7 + 6] = 7;
		}
		System.arraycopy(more, 0, all, count * 7, more.length);
		return all;
	}

	private static void begin(Http2Server.Answers answers, int streamId, byte[] data) throws IOException {
		answers.headers(streamId, false, ":status", "200", "content-type", "application/grpc");
		answers.send((writer, out) -> writer.data(out, streamId, data, 0, data.length, false));
	}

	private RpcException failure() {
		return catchThrowableOfType(RpcException.class,
				() -> this.numbers.numbers().doOnNext(this.arrived::add).blockLast());
	}

	/** With the status OK it would look complete. */
	@Test
	void elementWithoutItsEnd_failsStream() throws Exception {
		start((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				begin(answers, streamId, sevens(2, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 9, (byte) 8));
				answers.headers(streamId, true, "grpc-status", "0");
			}
		});
		RpcException failure = failure();
		assertThat(failure.status()).isEqualTo(RpcStatus.INTERNAL);
		assertThat(failure).hasMessageContaining("ends within a message");
		assertThat(this.arrived).containsExactly(7, 7);
	}

	@ParameterizedTest
	@CsvSource({ "14, UNAVAILABLE, back soon", "9, FAILED_PRECONDITION, not now", "16, UNAUTHENTICATED, who" })
	void statusBehindElements_isFailure_andCallIsNotRepeated(String code, RpcStatus status, String message)
			throws Exception {
		List<Integer> streams = new ArrayList<>();
		start((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				streams.add(streamId);
				begin(answers, streamId, sevens(3));
				answers.headers(streamId, true, "grpc-status", code, "grpc-message", message);
			}
		});
		RpcException failure = failure();
		assertThat(failure.status()).isEqualTo(status);
		assertThat(failure).hasMessageContaining(message);
		assertThat(this.arrived).containsExactly(7, 7, 7);
		assertThat(streams).hasSize(1);
	}

	@Test
	void callWithoutElement_isRepeated_whenServerRefusedIt() throws Exception {
		List<Integer> streams = new ArrayList<>();
		start((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS && streams.isEmpty()) {
				streams.add(streamId);
				answers.send((writer, out) -> writer.rstStream(out, streamId, Http2Error.REFUSED_STREAM));
			}
			else if (type == Http2Server.HEADERS) {
				begin(answers, streamId, sevens(1));
				answers.headers(streamId, true, "grpc-status", "0");
			}
		});
		assertThat(this.numbers.numbers().collectList().block()).containsExactly(7);
	}

	/** Its publisher has a subscriber already, and has given nothing. */
	@Test
	void uploadWithoutElement_isRepeated_whenServerRefusedIt() throws Exception {
		List<Integer> streams = new CopyOnWriteArrayList<>();
		start((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				streams.add(streamId);
				if (streams.size() == 1) {
					Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100));
					answers.send((writer, out) -> writer.rstStream(out, streamId, Http2Error.REFUSED_STREAM));
				}
			}
			else if (type == Http2Server.DATA && (flags & 1) != 0) {
				begin(answers, streamId, sevens(1));
				answers.headers(streamId, true, "grpc-status", "0");
			}
		});
		Sinks.Many<Integer> numbers = Sinks.many().unicast().onBackpressureBuffer();
		CompletableFuture<Integer> last = this.numbers.last(numbers.asFlux());
		Eventually.until("another stream is open", () -> streams.size() == 2);
		numbers.tryEmitNext(1).orThrow();
		numbers.tryEmitNext(2).orThrow();
		numbers.tryEmitComplete().orThrow();
		assertThat(last.join()).isEqualTo(7);
		assertThat(streams).hasSize(2);
	}

	/** It would be null, which a stream must not have. */
	@Test
	void elementWithoutValue_failsStream() throws Exception {
		start((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				begin(answers, streamId, sevens(2, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0));
			}
		});
		RpcException failure = failure();
		assertThat(failure.status()).isEqualTo(RpcStatus.INTERNAL);
		assertThat(failure).hasMessageContaining("element 2 of the stream is null");
		assertThat(this.arrived).containsExactly(7, 7);
	}

	@Test
	void resetBehindElements_failsStream() throws Exception {
		start((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.HEADERS) {
				begin(answers, streamId, sevens(4));
				answers.send((writer, out) -> writer.rstStream(out, streamId, Http2Error.INTERNAL_ERROR));
			}
		});
		assertThat(failure()).hasMessageContaining("reset the stream: INTERNAL_ERROR");
		assertThat(this.arrived).hasSize(4);
	}

	/** The window bounds what waits. */
	@Test
	void serverThatSendsBeyondWindow_isCutOff() throws Exception {
		CountDownLatch reset = new CountDownLatch(1);
		start((connection, type, flags, streamId, answers) -> {
			if (type == Http2Server.RST_STREAM) {
				reset.countDown();
			}
			if (type == Http2Server.HEADERS) {
				answers.headers(streamId, false, ":status", "200", "content-type", "application/grpc");
				byte[] part = sevens(1000);
				for (int i = 0; i < 20; i++) {
					answers.send((writer, out) -> writer.data(out, streamId, part, 0, part.length, false));
				}
			}
		});
		CountDownLatch end = new CountDownLatch(1);
		List<Throwable> failures = new ArrayList<>();
		BaseSubscriber<Integer> slow = new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				// asks for nothing
			}

			@Override
			protected void hookOnNext(Integer value) {
				StreamsOfOthersIntegrationTests.this.arrived.add(value);
			}

			@Override
			protected void hookOnError(Throwable failure) {
				failures.add(failure);
				end.countDown();
			}

		};
		this.numbers.numbers().subscribe(slow);
		assertThat(reset.await(30, TimeUnit.SECONDS)).isTrue();
		slow.requestUnbounded();
		assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(failures).singleElement()
			.asInstanceOf(InstanceOfAssertFactories.type(RpcException.class))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL))
			.satisfies((ex) -> assertThat(ex).hasMessageContaining("window"));
		assertThat(this.arrived).hasSizeBetween(1000, WINDOW / MESSAGE).containsOnly(7);
	}

}
