package io.rpcboot.internal.server.call;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Hello;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import org.junit.jupiter.api.Test;

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

	/** Somebody else's address and words are in it. */
	@Test
	void messageOfNestedCall_isHiddenFromCaller() {
		this.server.connection.replies().raise(1 << 20, false);
		this.server.connection.responder.thrown(this.server.newCall(1),
				new RpcException(RpcStatus.DEADLINE_EXCEEDED, "users at 10.0.0.7:9090: no reply", true));
		assertThat(sent()).contains("its time was over while it called further").doesNotContain("10.0.0.7");
	}

	@Test
	void cancellation_isNotLogged_afterCallIsCancelled() {
		try (LogRecorder log = new LogRecorder(HandDrivenServer.class.getName())) {
			this.server.connection.responder.thrown(cancelledCall(), new CancellationException());
			assertThat(log.messages()).isEmpty();
		}
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
		this.server.connection.responder.rejected(call, new RpcException(RpcStatus.NOT_FOUND, "too late", false));
		assertThat(sent()).contains("answer").doesNotContain("too late").doesNotContain("OutOfMemoryError");
		assertThat(this.server.runtime.inFlight).hasValue(0);
	}

	/** What each costs would be a peer's to choose. */
	@Test
	void call_isCancelledOnce_afterRepeatedCancelFrames() {
		byte[] hello = new Hello(4096, List.of("protostuff"), "test", 0, false).encode();
		this.server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		this.server.runtime.hookThreads.close(); // runs what it is given in the thread
													// that gives it
		AtomicInteger cancelled = new AtomicInteger();
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		this.server.connection.inFlight.put(call);
		PendingResult.follow(call, new CompletableFuture<String>() {
			@Override
			public boolean cancel(boolean mayInterrupt) {
				cancelled.incrementAndGet();
				return false;
			}
		});
		for (int i = 0; i < 10; i++) {
			this.server.connection.onFrame(FrameType.CANCEL, 0, 0, call.id(), new byte[0], 0, 0);
		}
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void call_ends_whenDispatchFails() {
		ServerCall call = this.server.newCall(TimeUnit.SECONDS.toNanos(10));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.server.connection.start(call, new byte[1], 5, 6, null));
		assertThat(this.server.connection.find(call.id())).isNull();
		assertThat(this.server.runtime.inFlight).hasValue(0);
	}

}
