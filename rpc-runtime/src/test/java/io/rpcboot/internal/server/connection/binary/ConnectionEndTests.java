package io.rpcboot.internal.server.connection.binary;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import io.rpcboot.metrics.TransportMetrics;
import io.rpcboot.metrics.TransportRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The end of a connection when a part of it fails. */
class ConnectionEndTests {

	private static final int MAX_FRAME = 1 << 20;

	@Test
	void connectionEnd_releasesMemory_whenMetricsThrow() {
		HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document",
				new TransportMetrics(new TransportRecorder() {
					@Override
					public void connectionClosed(String remote, String application, String why, long nanos) {
						throw new IllegalStateException("fails on purpose");
					}
				}));
		long hog = server.account.mostOfOne();
		server.account.tryReserveOutgoing(hog, true);
		byte[] hello = new Hello(MAX_FRAME, List.of("protostuff"), "test", 0).encode();
		server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		server.start(Long.MAX_VALUE);
		assertThat(server.account.used(Direction.INCOMING)).as("what it may send").isPositive();
		assertThat(server.runtime.memory.waitingCalls()).isOne();
		server.channel.close();
		server.channel.runPendingTasks();
		assertThat(server.account.used(Direction.INCOMING)).isZero();
		assertThat(server.runtime.connections).isEmpty();
		assertThat(server.runtime.memory.waitingCalls()).isZero();
		assertThat(server.runtime.calls.granted()).isZero();
		server.channel.releaseOutbound();
	}

	@ParameterizedTest
	@ValueSource(classes = { ClosedChannelException.class, StackOverflowError.class })
	void closeReason_namesFailure_whenItHasNoMessage(Class<? extends Throwable> type) throws Exception {
		List<String> reasons = new ArrayList<>();
		HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document",
				new TransportMetrics(new TransportRecorder() {
					@Override
					public void connectionClosed(String remote, String application, String why, long nanos) {
						reasons.add(why);
					}
				}));
		byte[] hello = new Hello(MAX_FRAME, List.of("protostuff"), "test", 0).encode();
		server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		server.connection.onClosed(type.getConstructor().newInstance());
		assertThat(reasons).containsExactly(type.getName());
		server.channel.finishAndReleaseAll();
	}

	/** Those that only a server sends, those that are reserved, and unknown ones. */
	@ParameterizedTest
	@ValueSource(ints = { FrameType.BIND_REPLY, FrameType.RESPONSE, FrameType.GO_AWAY, FrameType.STREAM_DATA,
			FrameType.STREAM_END, 0, 18, 255 })
	void unexpectedFrameType_endsConnection(int type) {
		HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document");
		byte[] hello = new Hello(MAX_FRAME, List.of("protostuff"), "test", 0).encode();
		server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> server.connection.onFrame(type, 0, 0, 1, new byte[0], 0, 0))
			.withMessage("unexpected frame type " + type);
		server.channel.close();
		server.channel.runPendingTasks();
		server.channel.releaseOutbound();
	}

	/** Its socket closes a moment later. */
	@ParameterizedTest
	@ValueSource(ints = { FrameType.REQUEST, FrameType.ONE_WAY })
	void calls_areIgnored_afterConnectionError(int type) {
		HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document");
		byte[] hello = new Hello(MAX_FRAME, List.of("protostuff"), "test", 0).encode();
		server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		server.connection.methods.put(0, server.invocation);
		server.connection.onFrame(type, 0, 0, 1, new byte[0], 0, 0);
		server.connection.onReadComplete();
		assertThat(server.fetched).hasValue(1);
		server.connection.announceGoAway("it is old");
		server.connection.drain.closeWithError("a test");
		server.connection.onFrame(type, 0, 0, 2, new byte[0], 0, 0);
		server.connection.onReadComplete();
		assertThat(server.fetched).hasValue(1);
		server.channel.runPendingTasks();
		assertThat(server.runtime.inFlight).hasValue(0);
		server.channel.releaseOutbound();
	}

	/** One word is enough, however many frames follow; and none has an answer. */
	@Test
	void oneWayCallsBeyondGrant_areIgnored_afterFirstError() {
		HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document");
		byte[] hello = new Hello(MAX_FRAME, List.of("protostuff"), "test", 0).encode();
		server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		server.connection.methods.put(0, server.invocation);
		server.connection.announceGoAway("it is old");
		int calls = 0;
		while (server.connection.drain.problem == null) {
			server.connection.onFrame(FrameType.ONE_WAY, 0, 0, ++calls, new byte[0], 0, 0);
		}
		server.channel.runPendingTasks();
		server.channel.releaseOutbound();
		server.connection.onReadComplete();
		assertThat(server.fetched).hasValue(calls - 1);
		for (int i = 0; i < 10; i++) {
			server.connection.onFrame(FrameType.ONE_WAY, 0, 0, ++calls, new byte[0], 0, 0);
		}
		server.channel.runPendingTasks();
		assertThat(server.channel.outboundMessages()).isEmpty();
		server.channel.close();
	}

}
