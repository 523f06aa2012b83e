package io.rpcboot.benchmarks.raw;

import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of {@link RawPayloadHandler} and {@link RawPayloadWriter}: frames survive however
 * they are cut.
 */
class RawPayloadTests {

	private static final int LARGE = 1_000_003;

	private final List<byte[]> bodies = new ArrayList<>();

	private final Recorder recorder = new Recorder();

	private final EmbeddedChannel channel = new EmbeddedChannel(this.recorder);

	@AfterEach
	void close() {
		this.channel.finishAndReleaseAll();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 12, 13, 1_000, 131_072, 10_000_000 })
	void everyBodyArrivesHoweverItIsCut(int read) {
		byte[] wire = write(body(16), body(1), body(LARGE), body(300));
		for (int from = 0; from < wire.length; from += read) {
			this.channel.writeInbound(Unpooled.wrappedBuffer(wire, from, Math.min(read, wire.length - from)));
		}
		assertThat(this.bodies).containsExactly(body(16), body(1), body(LARGE), body(300));
		assertThat(this.recorder.ids).containsExactly(0L, 1L, 2L, 3L);
	}

	@Test
	void smallFramesShareABuffer() {
		this.recorder.writer().add(0, body(16));
		this.recorder.writer().add(1, body(256));
		this.recorder.writer().write();
		assertThat(this.channel.outboundMessages()).hasSize(1);
		ByteBuf out = this.channel.readOutbound();
		assertThat(out.readableBytes()).isEqualTo(2 * RawPayloadHandler.HEADER + 16 + 256);
		out.release();
	}

	@Test
	void aLargeFrameLeavesInPieces() {
		assertThat(write(body(LARGE))).hasSize(RawPayloadHandler.HEADER + LARGE);
		assertThat(this.recorder.writer().isFull()).isFalse();
	}

	@Test
	void aLengthOutOfRangeIsRefused() {
		RawPayloadHandler handler = new Recorder();
		ByteBuf frame = Unpooled.buffer().writeInt(-1).writeLong(1);
		EmbeddedChannel own = new EmbeddedChannel(handler);
		assertThatIllegalStateException().isThrownBy(() -> handler.channelRead(own.pipeline().firstContext(), frame))
			.withMessageStartingWith("body: -1 bytes");
		assertThat(frame.refCnt()).isZero();
		own.finishAndReleaseAll();
	}

	private byte[] write(byte[]... all) {
		long id = 0;
		for (byte[] each : all) {
			this.recorder.writer().add(id++, each);
		}
		this.recorder.writer().write();
		ByteBuf wire = Unpooled.buffer();
		ByteBuf out;
		while ((out = this.channel.readOutbound()) != null) {
			wire.writeBytes(out);
			out.release();
		}
		return ByteBufUtil.getBytes(wire);
	}

	private static byte[] body(int length) {
		byte[] body = new byte[length];
		for (int i = 0; i < length; i++) {
			body[i] = (byte) (i * 31 + length);
		}
		return body;
	}

	private final class Recorder extends RawPayloadHandler {

		private final List<Long> ids = new ArrayList<>();

		@Override
		void frame(long callId, byte[] bytes) {
			this.ids.add(callId);
			RawPayloadTests.this.bodies.add(bytes);
		}

	}

}
