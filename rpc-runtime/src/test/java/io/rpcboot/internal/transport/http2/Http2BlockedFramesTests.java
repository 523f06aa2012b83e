package io.rpcboot.internal.transport.http2;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.transport.http2.SentFrame.Type;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Streams whose messages wait for windows, for the socket, or are not wanted. */
@Timeout(60)
@Tag("rounds")
class Http2BlockedFramesTests {

	private static final int WINDOW = Http2Settings.DEFAULT_WINDOW_SIZE;

	private final EmbeddedChannel channel = new EmbeddedChannel();

	private final WriteQueue queue = new WriteQueue(this.channel, new FlushPolicy(BatchingOptions.defaults()), null);

	private final Http2Output output = new Http2Output(this.queue);

	private int lastId = -1;

	@AfterEach
	void close() {
		this.queue.end();
		this.channel.finishAndReleaseAll();
	}

	private TestStream send(int size) {
		TestStream stream = newStream(size);
		assertThat(this.queue.enqueue(stream)).isTrue();
		return stream;
	}

	private TestStream newStream(int size) {
		this.lastId += 2;
		return new TestStream(this.output, this.lastId, size);
	}

	private List<SentFrame> sent() {
		return SentFrame.all(this.channel);
	}

	/** Returns what was sent, without acknowledgements of SETTINGS. */
	private List<String> said() {
		return sent().stream().filter((each) -> each.type() != Type.SETTINGS).map(SentFrame::toString).toList();
	}

	private void windowOfStreams(int bytes, TestStream... open) {
		int difference = this.output.onSettings(new Http2Settings().set(Http2Settings.INITIAL_WINDOW_SIZE, bytes));
		for (TestStream each : open) {
			each.changeWindow(difference);
		}
	}

	private void writable(boolean writable) {
		this.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
		if (writable) {
			this.output.blocked.resume();
		}
	}

	static IntStream smallWindows() {
		return Load.LONG
				? IntStream.concat(IntStream.rangeClosed(1, 20), IntStream.of(63, 64, 65, 127, 128, 129, 199, 200))
				: IntStream.of(1, 4, 5, 6, 20, 64, 127, 200);
	}

	/**
	 * Windows end within the prefix, within the message and at its end; each
	 * WINDOW_UPDATE is as small as what was sent.
	 */
	@ParameterizedTest
	@MethodSource("smallWindows")
	void messages_arriveIntact_throughSmallWindows(int window) {
		windowOfStreams(window);
		Map<Integer, TestStream> streams = new HashMap<>();
		for (int size : new int[] { 0, 1, 4, 200, 1000, 0, Load.LONG ? 9000 : 100 + 20 * window }) {
			TestStream stream = send(size);
			streams.put(stream.streamId, stream);
		}
		Map<Integer, byte[]> received = receive(streams, window);
		streams.forEach((id, stream) -> assertThat(received.get(id)).as("stream %d", id).isEqualTo(stream.encoded()));
		assertThat(streams.values()).allMatch((each) -> each.ends() == 1 && each.written == 1);
		assertThat(this.output.blocked.size()).isZero();
		assertThat(this.output.window()).isEqualTo(WINDOW);
	}

	/** Receives all messages, and gives each window back at once. */
	private Map<Integer, byte[]> receive(Map<Integer, TestStream> streams, int window) {
		Map<Integer, byte[]> received = new HashMap<>();
		List<Integer> ended = new ArrayList<>();
		while (ended.size() < streams.size()) {
			List<SentFrame> frames = sent().stream().filter((each) -> each.type() == Type.DATA).toList();
			assertThat(frames).as("ended: %s of %d", ended, streams.size()).isNotEmpty();
			Map<Integer, Integer> lengths = new HashMap<>();
			for (SentFrame frame : frames) {
				int id = frame.streamId();
				assertThat(ended).as("DATA behind the end").doesNotContain(id);
				received.merge(id, frame.payload(), SentFrame::join);
				lengths.merge(id, frame.payload().length, Integer::sum);
				if (frame.endsStream()) {
					ended.add(id);
				}
			}
			lengths.forEach((id, length) -> {
				assertThat(length).as("DATA of stream %d", id).isBetween(1, window);
				streams.get(id).changeWindow(length);
				this.output.onWindowUpdate(length);
			});
		}
		return received;
	}

	/** Random windows of streams and of the connection. */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6 })
	void messages_arriveIntact_underRandomWindows(long seed) {
		Random random = new Random(seed);
		windowOfStreams(random.nextInt(300));
		Map<Integer, TestStream> streams = new HashMap<>();
		Map<Integer, byte[]> received = new HashMap<>();
		for (int i = 0; i < 60; i++) {
			TestStream stream = send(random.nextInt(random.nextBoolean() ? 300 : 40_000));
			streams.put(stream.streamId, stream);
		}
		long allowed = WINDOW;
		while (streams.values().stream().anyMatch((each) -> each.written == 0)) {
			for (SentFrame frame : sent()) {
				if (frame.type() == Type.DATA) {
					received.merge(frame.streamId(), frame.payload(), SentFrame::join);
					allowed -= frame.payload().length;
				}
			}
			assertThat(allowed).as("seed %d: window of the connection", seed).isNotNegative();
			int more = 1 + random.nextInt(20_000);
			allowed += more;
			this.output.onWindowUpdate(more);
			streams.values().forEach((each) -> each.changeWindow(random.nextInt(2000)));
		}
		for (SentFrame frame : sent()) {
			received.merge(frame.streamId(), frame.payload(), SentFrame::join);
		}
		streams.forEach((id, stream) -> assertThat(received.get(id)).as("seed %d, stream %d", seed, id)
			.isEqualTo(stream.encoded()));
		assertThat(this.output.sent()).isEqualTo(received.values().stream().mapToLong((each) -> each.length).sum());
		assertThat(this.output.blockedBytes()).isEqualTo(-1);
	}

	@Test
	void smallMessage_isOneHeadersAndOneData() {
		send(100);
		assertThat(said()).containsExactly("HEADERS 1", "DATA 1 105 END");
		assertThat(this.output.sent()).isEqualTo(105);
		assertThat(this.output.window()).isEqualTo(WINDOW - 105);
	}

	@Test
	void longMessage_leavesInFramesOf16K() {
		send(40_000 - 5);
		assertThat(said()).containsExactly("HEADERS 1", "DATA 1 16384", "DATA 1 16384", "DATA 1 7232 END");
	}

	@Test
	void frames_grow_withMaxFrameSizeOfPeer() {
		this.output.onSettings(new Http2Settings().set(Http2Settings.MAX_FRAME_SIZE, 1 << 20));
		send(40_000 - 5);
		assertThat(said()).containsExactly("HEADERS 1", "DATA 1 40000 END");
	}

	@Test
	void longMessages_takeTurns() {
		windowOfStreams(1 << 20);
		this.output.onWindowUpdate(1 << 20);
		sent();
		send(170_000 - 5);
		send(100_000 - 5);
		assertThat(turns()).containsExactly("1: 81920", "3: 81920", "1: 81920", "3: 18080", "1: 6160");
	}

	/**
	 * Returns the bytes of DATA that were sent of a stream before another had its turn.
	 */
	private List<String> turns() {
		List<String> turns = new ArrayList<>();
		int bytes = 0;
		int last = 1;
		for (SentFrame frame : sent().stream().filter((each) -> each.type() == Type.DATA).toList()) {
			if (frame.streamId() != last) {
				turns.add(last + ": " + bytes);
				last = frame.streamId();
				bytes = 0;
			}
			bytes += frame.payload().length;
		}
		turns.add(last + ": " + bytes);
		return turns;
	}

	/** Its receiver holds one of them that is incomplete, not all. */
	@Test
	void messagesOf64K_leaveOneAfterTheOther() {
		windowOfStreams(1 << 20);
		this.output.onWindowUpdate(1 << 20);
		sent();
		for (int i = 0; i < 3; i++) {
			send(65_536);
		}
		assertThat(turns()).containsExactly("1: 65541", "3: 65541", "5: 65541");
		assertThat(this.output.blocked.size()).isZero();
	}

	@Test
	void longMessages_shareWindowOfConnection() {
		windowOfStreams(1 << 20);
		TestStream first = send(200_000);
		TestStream second = send(200_000);
		sent();
		assertThat(this.output.window()).isZero();
		assertThat(this.output.blockedBytes()).isEqualTo(WINDOW);
		long before = this.output.sent();
		this.output.onWindowUpdate(1000);
		assertThat(sent()).hasSize(1);
		this.output.onWindowUpdate(500);
		assertThat(sent()).hasSize(1);
		assertThat(this.output.sent()).isEqualTo(before + 1500);
		assertThat(first.ends() + second.ends()).isZero();
	}

	@Test
	void smallMessage_overtakesLongOne_whoseWindowIsEmpty() {
		TestStream first = send(100_000);
		sent();
		this.output.onWindowUpdate(WINDOW);
		send(100);
		assertThat(said()).containsExactly("HEADERS 3", "DATA 3 105 END");
		first.changeWindow(1);
		assertThat(said()).containsExactly("DATA 1 1");
	}

	@Test
	void smallMessage_overtakesLongOne_betweenItsParts() {
		windowOfStreams(1 << 20);
		this.output.onWindowUpdate(1 << 20);
		send(1_000_000);
		send(100);
		List<String> said = said();
		assertThat(said.indexOf("DATA 3 105 END")).isBetween(0, 7);
		assertThat(said.get(said.size() - 1)).startsWith("DATA 1 ").endsWith(" END");
	}

	@Test
	void negativeWindow_isFilledFirst() {
		TestStream stream = send(100_000);
		sent();
		this.output.onWindowUpdate(1 << 20);
		windowOfStreams(10, stream);
		assertThat(said()).isEmpty();
		stream.changeWindow(WINDOW - 10);
		assertThat(said()).as("the window is 0").isEmpty();
		stream.changeWindow(7);
		assertThat(said()).containsExactly("DATA 1 7");
		windowOfStreams(0, stream);
		windowOfStreams(WINDOW, stream);
		assertThat(said()).containsExactly("DATA 1 16384", "DATA 1 16384", "DATA 1 1695 END");
	}

	@Test
	void newStreams_beginWithWindowOfSettings() {
		windowOfStreams(0);
		TestStream waiting = send(10);
		assertThat(said()).containsExactly("HEADERS 1");
		windowOfStreams(3, waiting);
		send(10);
		assertThat(said()).containsExactly("DATA 1 3", "HEADERS 3", "DATA 3 3");
	}

	@Test
	void settings_areAcknowledged_beforeDataThatTheyAllow() {
		windowOfStreams(0);
		TestStream stream = send(10);
		sent();
		windowOfStreams(100, stream);
		assertThat(sent()).extracting(SentFrame::toString).containsExactly("SETTINGS 0", "DATA 1 15 END");
	}

	@Test
	void windowBeyondMaximum_isError() {
		TestStream stream = newStream(10);
		assertThatExceptionOfType(Http2Exception.class)
			.isThrownBy(() -> stream.changeWindow(Integer.MAX_VALUE - WINDOW + 1))
			.satisfies((ex) -> assertThat(ex.error()).isEqualTo(Http2Error.FLOW_CONTROL_ERROR))
			.satisfies((ex) -> assertThat(ex.streamId()).isOne());
		stream.changeWindow(Integer.MAX_VALUE - WINDOW);
		assertThatExceptionOfType(Http2Exception.class)
			.isThrownBy(() -> this.output.onWindowUpdate(Integer.MAX_VALUE - WINDOW + 1))
			.satisfies((ex) -> assertThat(ex.isConnectionError()).isTrue());
		this.output.onWindowUpdate(Integer.MAX_VALUE - WINDOW);
		assertThat(this.output.window()).isEqualTo(Integer.MAX_VALUE);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 10 })
	void unwantedStream_leavesAtOnce_fromEitherWindow(int windowOfStream) {
		windowOfStreams(windowOfStream);
		TestStream stream = newStream(WINDOW);
		if (windowOfStream > 0) {
			stream.changeWindow(WINDOW);
		}
		this.queue.enqueue(stream);
		sent();
		assertThat(this.output.blocked.size()).isOne();
		stream.wanted = false;
		this.output.blocked.unblock(stream);
		assertThat(stream.skipped).isOne();
		assertThat(this.output.blocked.size()).isZero();
		this.output.onWindowUpdate(1000);
		assertThat(said()).isEmpty();
		assertThat(stream.ends()).isOne();
	}

	@Test
	void unblockedStreamThatDoesNotWait_isUntouched() {
		TestStream stream = newStream(10);
		this.output.blocked.unblock(stream);
		assertThat(stream.ends()).isZero();
	}

	@Test
	void expiredStreams_areDropped_whereverTheyWait() {
		windowOfStreams(10);
		TestStream awaitingStream = send(1000);
		TestStream stays = send(1000);
		sent();
		TestStream awaitingTurn = newStream(1000);
		awaitingTurn.changeWindow(1 << 20);
		TestStream large = newStream(100_000);
		large.changeWindow(1 << 20);
		this.queue.enqueue(large);
		sent();
		this.queue.enqueue(awaitingTurn);
		sent();
		assertThat(this.output.window()).isZero();
		writable(false);
		TestStream awaitingSocket = send(1);
		sent();
		assertThat(this.output.blocked.size()).isEqualTo(5);
		Stream.of(awaitingStream, awaitingTurn, large, awaitingSocket).forEach((each) -> each.wanted = false);
		assertThat(this.output.blocked.dropExpired()).as("others are left").isTrue();
		assertThat(List.of(awaitingStream, awaitingTurn, large, awaitingSocket)).allMatch((each) -> each.skipped == 1);
		assertThat(this.output.blocked.size()).isOne();
		stays.wanted = false;
		assertThat(this.output.blocked.dropExpired()).isFalse();
		writable(true);
		this.output.onWindowUpdate(1 << 20);
		assertThat(said()).isEmpty();
	}

	@Test
	void framesAwaitingSocket_keepTheirOrder() {
		writable(false);
		send(1);
		this.output.windowUpdate(0, 5);
		send(2);
		assertThat(said()).isEmpty();
		assertThat(this.output.blocked.size()).isEqualTo(3);
		writable(true);
		assertThat(said()).containsExactly("HEADERS 1", "DATA 1 6 END", "WINDOW_UPDATE 0", "HEADERS 3", "DATA 3 7 END");
	}

	@Test
	void longMessage_pauses_whileSocketIsFull() {
		windowOfStreams(1 << 20);
		this.output.onWindowUpdate(1 << 20);
		TestStream stream = send(100_000);
		writable(false);
		assertThat(said()).isEmpty();
		writable(true);
		assertThat(said()).hasSize(8);
		assertThat(stream.written).isOne();
	}

	@Test
	void streamsThatWait_areRejectedOnce_atEnd() {
		windowOfStreams(10);
		List<TestStream> streams = new ArrayList<>(List.of(send(1000), send(1000)));
		sent();
		TestStream turn = newStream(100_000);
		turn.changeWindow(1 << 20);
		this.queue.enqueue(turn);
		sent();
		writable(false);
		streams.addAll(List.of(turn, send(1)));
		sent();
		streams.add(send(1));
		this.queue.end();
		this.queue.end();
		assertThat(streams).allMatch((each) -> each.rejected == 1 && each.ends() == 1);
		assertThat(this.output.blocked.size()).isZero();
	}

	@Test
	void taskAfterFlush_runs_alsoAtEnd() {
		List<String> ran = new ArrayList<>();
		send(1);
		this.output.afterFlush(() -> ran.add("written"));
		sent();
		assertThat(ran).containsExactly("written");
		writable(false);
		this.output.afterFlush(() -> ran.add("rejected"));
		sent();
		assertThat(ran).hasSize(1);
		this.queue.end();
		this.output.afterFlush(() -> ran.add("late"));
		assertThat(ran).containsExactly("written", "rejected", "late");
	}

	@Test
	void acknowledgements_keepTheirOrder_beforeOtherFrames() {
		writable(false);
		this.output.windowUpdate(0, 1);
		this.channel.runPendingTasks();
		this.output.onPing(1);
		this.output.onSettings(new Http2Settings());
		this.output.onPing(2);
		writable(true);
		List<SentFrame> sent = sent();
		assertThat(sent).extracting(SentFrame::type)
			.containsExactly(Type.PING, Type.SETTINGS, Type.PING, Type.WINDOW_UPDATE);
		assertThat(sent.get(0).payload()).endsWith(1);
		assertThat(sent.get(2).payload()).endsWith(2);
		assertThat(this.output.blocked.size()).isZero();
	}

	@Test
	void peer_losesConnection_ifItReadsNoAcknowledgements() {
		writable(false);
		for (int i = 0; i < 32; i++) {
			this.output.onPing(i);
			this.output.onSettings(new Http2Settings());
		}
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> this.output.onPing(64))
			.withMessageContaining("acknowledgements that the peer does not read")
			.matches((ex) -> ex.error() == Http2Error.ENHANCE_YOUR_CALM);
		writable(true);
		assertThat(sent()).hasSize(64);
		this.output.onPing(65);
		assertThat(sent()).hasSize(1);
	}

}
