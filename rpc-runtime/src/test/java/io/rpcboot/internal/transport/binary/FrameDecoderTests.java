package io.rpcboot.internal.transport.binary;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordedFlushes;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.fixture.Wire;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FrameDecoderTests {

	private static final int MAX_BODY = 8 * 1024 * 1024;

	private static final List<Wire.Frame> FRAMES = List.of(Wire.Frame.of(FrameType.HELLO, 0, 0, 0, new byte[30]),
			Wire.Frame.of(FrameType.REQUEST, 1, 17, 1, (byte) 1, (byte) 2, (byte) 3, (byte) 4),
			Wire.Frame.of(FrameType.PING, 0, 0, 77), Wire.Frame.of(200, 255, 65535, -1, (byte) 9),
			Wire.Frame.of(FrameType.CANCEL, 0, 0, 1));

	private final List<ByteBuf> buffers = new ArrayList<>();

	private final List<Connection> connections = new ArrayList<>();

	private RecordingListener handler = new RecordingListener();

	private EmbeddedChannel channel = open();

	private EmbeddedChannel open() {
		this.handler = new RecordingListener();
		return new EmbeddedChannel(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel channel) {
				FrameDecoderTests.this.connections
					.add(Connection.install(channel, "test", new FlushPolicy(BatchingOptions.defaults()),
							new RecordedFlushes(), (opened) -> EmbeddedConnections.handler(MAX_BODY, opened,
									(any) -> FrameDecoderTests.this.handler)));
			}
		});
	}

	@AfterEach
	void everyBufferIsReleased() {
		this.channel.finishAndReleaseAll();
		assertThat(this.buffers).allMatch((buffer) -> buffer.refCnt() == 0);
	}

	private void receive(byte[] bytes) {
		ByteBuf buffer = Unpooled.directBuffer(Math.max(1, bytes.length)).writeBytes(bytes);
		this.buffers.add(buffer);
		this.channel.writeInbound(buffer);
	}

	@Test
	void preface_isSentFirst() {
		this.channel.flush();
		assertThat(Wire.flushed(this.channel)).isEqualTo(Unpooled.wrappedBuffer(Wire.preface()));
		assertThat(this.handler.opened).isOne();
	}

	@Test
	void manyFrames_areDecoded_fromOneRead() {
		receive(Wire.stream(FRAMES));
		assertThat(this.handler.frames).isEqualTo(FRAMES);
		assertThat(this.handler.readsCompleted).isOne();
		assertThat(this.channel.isOpen()).isTrue();
	}

	@Test
	void frames_areDecoded_whenTheyArriveByteByByte() {
		for (byte b : Wire.stream(FRAMES)) {
			receive(new byte[] { b });
		}
		assertThat(this.handler.frames).isEqualTo(FRAMES);
	}

	@Test
	void frames_areDecoded_whenCutAtAnyOffset() {
		byte[] stream = Wire.stream(FRAMES);
		for (int cut = 0; cut <= stream.length; cut++) {
			this.channel.finishAndReleaseAll();
			this.channel = open();
			receive(Arrays.copyOf(stream, cut));
			receive(Arrays.copyOfRange(stream, cut, stream.length));
			assertThat(this.handler.frames).as("cut at %d", cut).isEqualTo(FRAMES);
		}
	}

	/** A frame is handed on with its last byte, not with the first of the next one. */
	@Test
	void frame_isDelivered_withItsLastByte() {
		byte[] stream = Wire.stream(FRAMES);
		int end = Preface.LENGTH;
		int seen = 0;
		for (Wire.Frame frame : FRAMES) {
			int start = end;
			end += FrameHeader.LENGTH + frame.body().size();
			receive(Arrays.copyOfRange(stream, start - ((seen == 0) ? Preface.LENGTH : 0), end - 1));
			assertThat(this.handler.frames).hasSize(seen);
			receive(new byte[] { stream[end - 1] });
			assertThat(this.handler.frames).hasSize(++seen);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 65535, 65536, 65537, 131_072, 1_000_000, MAX_BODY })
	void largeBody_isDecoded_whenItArrivesInPieces(int size) {
		byte[] body = new byte[size];
		for (int i = 0; i < size; i++) {
			body[i] = (byte) (i * 31 + (i >> 8));
		}
		receive(Wire.preface());
		receive(Wire.header(size, FrameType.REQUEST));
		for (int i = 0; i < size; i += 50_000) {
			receive(Arrays.copyOfRange(body, i, Math.min(size, i + 50_000)));
		}
		receive(Wire.header(0, FrameType.PING));
		assertThat(this.handler.frames).hasSize(2);
		assertThat(this.handler.frames.get(0).bodyBytes()).isEqualTo(body);
		assertThat(this.handler.frames.get(1).type()).isEqualTo(FrameType.PING);
	}

	@Test
	void ungrantedLength_allocatesLittle() {
		this.handler.admitting = false;
		receive(Wire.preface());
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long thread = Thread.currentThread().getId();
		byte[] header = Wire.header(MAX_BODY, FrameType.REQUEST);
		long before = threads.getThreadAllocatedBytes(thread);
		receive(header);
		receive(new byte[1000]);
		assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(1024 * 1024);
		assertThat(this.channel.isOpen()).as("its handler says how it ends").isTrue();
		assertThat(this.handler.announced).containsExactly(MAX_BODY);
		receive(Wire.header(0, FrameType.PING));
		assertThat(this.handler.frames).as("nothing more is read").isEmpty();
	}

	@Test
	void bodyInPieces_isAnnouncedOnceAndOwnedByHandler() {
		receive(Wire.preface());
		receive(Wire.header(100_000, FrameType.REQUEST));
		receive(new byte[60_000]);
		assertThat(this.handler.announced).containsExactly(100_000);
		receive(new byte[40_000]);
		assertThat(this.handler.ownBodies).isEqualTo(1);
		assertThat(this.handler.frames).hasSize(1);
		receive(Wire.header(1000, FrameType.REQUEST));
		receive(new byte[1000]);
		assertThat(this.handler.announced).as("a short one need not be asked for").hasSize(1);
		assertThat(this.handler.frames).hasSize(2);
	}

	@Test
	void oversizedControlFrame_closesConnection() {
		receive(Wire.preface());
		receive(Wire.header(FrameType.MAX_CONTROL_BODY + 1, FrameType.BIND));
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.handler.closed.get(0)).hasMessageContaining("4097 (expected: 0 to 4096 for a control frame)");
	}

	@ParameterizedTest
	@ValueSource(ints = { MAX_BODY + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE })
	void invalidLength_closesConnection(int length) {
		receive(Wire.preface());
		receive(Wire.header(length, FrameType.REQUEST));
		assertClosed("frame length: %d (expected: 0 to %d, which is max-frame-size)".formatted(length & 0xffffffffL,
				MAX_BODY));
	}

	@Test
	void otherProtocol_closesConnection() {
		receive("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
		assertClosed("the other side speaks another protocol: first bytes 0x47455420 (expected: 0x8f525043)");
	}

	@Test
	void otherVersion_closesConnection() {
		receive(new byte[] { (byte) 0x8f, 'R', 'P', 'C', 0, 2, 0, 0 });
		assertClosed("protocol version: 2 (expected: 1)");
	}

	private void assertClosed(String why) {
		this.channel.runPendingTasks();
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.handler.frames).isEmpty();
		assertThat(this.handler.closed).hasSize(1);
		assertThat(this.handler.closed.get(0)).isInstanceOf(ProtocolException.class).hasMessage(why);
	}

	@Test
	void bytesAfterError_areIgnored() {
		this.handler.throwOnFrame = new ProtocolException("no");
		receive(Wire.stream(FRAMES));
		assertThat(this.handler.frames).hasSize(1);
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.handler.closed).containsExactly(this.handler.throwOnFrame);
	}

	@Test
	void handlerError_closesConnection() {
		this.handler.throwOnFrame = new StackOverflowError("no");
		receive(Wire.stream(FRAMES));
		assertThat(this.handler.frames).hasSize(1);
		assertThat(this.channel.isOpen()).isFalse();
		assertThat(this.handler.closed).containsExactly(this.handler.throwOnFrame);
	}

	@Test
	void regularEnd_hasNoCause() {
		receive(Wire.stream(FRAMES));
		this.channel.close();
		this.channel.runPendingTasks();
		assertThat(this.handler.closed).hasSize(1).containsOnlyNulls();
	}

	@Test
	void endInsideFrame_hasNoCause() {
		receive(Arrays.copyOf(Wire.stream(FRAMES), 50));
		this.channel.close();
		this.channel.runPendingTasks();
		assertThat(this.handler.closed).hasSize(1).containsOnlyNulls();
	}

	@Test
	void activity_isReportedOnce() {
		Connection connection = this.connections.get(this.connections.size() - 1);
		assertThat(connection.takeActivity()).isFalse();
		receive(new byte[] { (byte) 0x8f });
		assertThat(connection.takeActivity()).isTrue();
		assertThat(connection.takeActivity()).isFalse();
	}

}
