package io.rpcboot.internal.server.call;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.server.connection.binary.BinaryServerStream;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the log of failed calls that have no waiting caller. */
class CallResponderTests {

	private final HandDrivenServer server = new HandDrivenServer(4096, "result");

	private ServerCall cancelledCall() {
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		call.cancelled = true;
		return call;
	}

	private String sent() {
		this.server.channel.runPendingTasks();
		StringBuilder sent = new StringBuilder();
		for (ByteBuf out = this.server.channel.readOutbound(); out != null; out = this.server.channel.readOutbound()) {
			sent.append(out.toString(StandardCharsets.UTF_8));
			out.release();
		}
		return sent.toString();
	}

	@Test
	void failure_isLogged_afterCallIsCancelled() {
		try (LogRecorder log = new LogRecorder(HandDrivenServer.class.getName())) {
			this.server.connection.responder.thrown(cancelledCall(), new IllegalStateException("the database is away"));
			assertThat(log.messages())
				.containsExactly("Undeclared exception: " + HandDrivenServer.Archive.class.getName() + ".fetch()");
		}
	}

	private static RpcException nested(RpcStatus status) {
		return new RpcException(status, "users at 10.0.0.7:9090: no reply", true, null, null, Map.of(),
				"demo.Users.find(long)");
	}

	/** Somebody else's address and words are in it. */
	@ParameterizedTest
	@CsvSource({ "DEADLINE_EXCEEDED, 1, its time was over while it called demo.Users.find(long): DEADLINE_EXCEEDED",
			"CANCELLED, 1, its time was over while it called demo.Users.find(long): CANCELLED",
			"UNAVAILABLE, 10000000000, while it called demo.Users.find(long): UNAVAILABLE",
			"DEADLINE_EXCEEDED, 10000000000, while it called demo.Users.find(long): DEADLINE_EXCEEDED",
			"NOT_FOUND, 9223372036854775807, while it called demo.Users.find(long): NOT_FOUND" })
	void messageOfNestedCall_isHiddenFromCaller(RpcStatus status, long allowedNanos, String text) {
		this.server.connection.replies().raise(1 << 20, false);
		try (LogRecorder log = new LogRecorder(HandDrivenServer.class.getName())) {
			this.server.connection.responder.thrown(this.server.newCall(allowedNanos), nested(status));
			assertThat(sent()).contains(text).doesNotContain("10.0.0.7");
			assertThat(log.messages()).isEmpty();
		}
	}

	static Stream<Throwable> ofCancellation() {
		RpcException nested = nested(RpcStatus.CANCELLED);
		return Stream.of(new CancellationException(), nested, new CompletionException(nested),
				new IllegalStateException(nested), new IllegalStateException(new InterruptedException()),
				new IllegalStateException(new CompletionException(new CancellationException())));
	}

	@ParameterizedTest
	@MethodSource("ofCancellation")
	void cancellation_isNotLogged_afterCallIsCancelled(Throwable thrown) {
		try (LogRecorder log = new LogRecorder(HandDrivenServer.class.getName())) {
			ServerCall call = cancelledCall();
			this.server.connection.responder.thrown(call, thrown);
			assertThat(call.status).isEqualTo(RpcStatus.CANCELLED);
			assertThat(log.messages()).isEmpty();
		}
	}

	@Test
	void cancelledCall_exceedsItsDeadline_whenClientSaysSo() {
		byte[] hello = new Hello(4096, List.of("protostuff"), "test", 0).encode();
		this.server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		this.server.connection.inFlight.put((BinaryServerStream) call.sink);
		this.server.connection.onFrame(FrameType.CANCEL, 0, RpcStatus.DEADLINE_EXCEEDED.code(),
				((BinaryServerStream) call.sink).id(), new byte[0], 0, 0);
		assertThat(call.context().remaining()).isZero();
		this.server.connection.responder.thrown(call, nested(RpcStatus.CANCELLED));
		assertThat(call.status).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
	}

	/** It has no answer, whatever has become of it. */
	@Test
	void failedOneWayCall_endsWithoutReply() {
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10), true);
		this.server.connection.responder.unexpected(call, new IllegalStateException("on purpose"));
		assertThat(sent()).doesNotContain("the server could not answer");
		assertThat(this.server.runtime.inFlight).hasValue(0);
	}

	/** A frame in two queues would break both. */
	@Test
	void call_sendsOneReply_whenItFailsAfterReply() {
		this.server.connection.replies().raise(1 << 20, false);
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		call.returned("answer");
		this.server.connection.responder.thrown(call, new OutOfMemoryError("on purpose"));
		this.server.connection.responder.answered(call, new RpcException(RpcStatus.NOT_FOUND, "too late", false));
		assertThat(sent()).contains("answer").doesNotContain("too late").doesNotContain("OutOfMemoryError");
		assertThat(this.server.runtime.inFlight).hasValue(0);
	}

	/** What each costs would be a peer's to choose. */
	@Test
	void call_isCancelledOnce_afterRepeatedCancelFrames() {
		byte[] hello = new Hello(4096, List.of("protostuff"), "test", 0).encode();
		this.server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		this.server.runtime.hookThreads.close(); // runs what it is given in the thread
													// that gives it
		AtomicInteger cancelled = new AtomicInteger();
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		this.server.connection.inFlight.put((BinaryServerStream) call.sink);
		PendingResult.follow(call, new CompletableFuture<String>() {
			@Override
			public boolean cancel(boolean mayInterrupt) {
				cancelled.incrementAndGet();
				return false;
			}
		});
		for (int i = 0; i < 10; i++) {
			this.server.connection.onFrame(FrameType.CANCEL, 0, 0, ((BinaryServerStream) call.sink).id(), new byte[0],
					0, 0);
		}
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void call_ends_whenDispatchFails() {
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.server.connection.start((BinaryServerStream) call.sink, new byte[1], 5, 6, null));
		assertThat(this.server.connection.find(((BinaryServerStream) call.sink).id())).isNull();
		assertThat(this.server.runtime.inFlight).hasValue(0);
	}

}
