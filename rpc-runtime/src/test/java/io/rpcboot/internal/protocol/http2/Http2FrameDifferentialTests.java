package io.rpcboot.internal.protocol.http2;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Frames of both sides against those of Netty, in random cuts. */
class Http2FrameDifferentialTests {

	private static final int CONNECTIONS = 50;

	private static final int FRAMES = 60;

	private static final int MAX_LIST = 1 << 17;

	/** Cuts into pieces of one byte, of some bytes, or of all. */
	private static List<byte[]> cut(byte[] bytes, Random random) {
		List<byte[]> pieces = new ArrayList<>();
		int mean = 1 << random.nextInt(18);
		for (int i = 0; i < bytes.length;) {
			int length = Math.min(bytes.length - i, 1 + random.nextInt(2 * mean));
			pieces.add(Arrays.copyOfRange(bytes, i, i + length));
			i += length;
		}
		return pieces;
	}

	@Test
	void reader_reportsFramesOfNetty_asNettyDoes() throws Exception {
		for (int seed = 0; seed < CONNECTIONS; seed++) {
			Random random = new Random(seed);
			NettyFrames netty = new NettyFrames();
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			for (int i = 0; i < FRAMES; i++) {
				bytes.writeBytes(netty.write(random));
			}
			netty.read(bytes.toByteArray());
			RecordedFrames frames = new RecordedFrames();
			Http2FrameReader reader = Http2FrameReader.client(new byte[1 + random.nextInt(1 << 16)],
					new RecordingResolver(), MAX_LIST, () -> 0, frames);
			reader.read(Unpooled.wrappedBuffer(ReaderFixture.bytes(ReaderFixture.SETTINGS)));
			cut(bytes.toByteArray(), random).forEach((piece) -> reader.read(Unpooled.wrappedBuffer(piece)));
			assertThat(frames.events.subList(1, frames.events.size())).as("seed %d", seed).isEqualTo(netty.events);
			assertThat(reader.isInFrame()).isFalse();
			netty.close();
		}
	}

	@Test
	void framesOfWriter_areReportedByNettyAndByTheReader() throws Exception {
		for (int seed = 0; seed < CONNECTIONS; seed++) {
			Random random = new Random(seed);
			NettyFrames netty = new NettyFrames();
			Http2FrameWriter writer = new Http2FrameWriter();
			RecordedFrames frames = new RecordedFrames();
			Http2FrameReader reader = Http2FrameReader.client(new byte[1 << 16], new RecordingResolver(), MAX_LIST,
					() -> 0, frames);
			List<String> expected = new ArrayList<>();
			ByteBuf out = Unpooled.buffer();
			writer.settings(out, new Http2Settings());
			expected.add("SETTINGS {}");
			for (int i = 0; i < FRAMES; i++) {
				expected.addAll(write(writer, out, random, netty));
				netty.read(ByteBufUtil.getBytes(out));
				reader.read(out);
				out.clear();
			}
			assertThat(netty.events).as("seed %d", seed).isEqualTo(expected);
			assertThat(frames.events.stream().map((event) -> event.replace(" (sensitive)", ""))).as("seed %d", seed)
				.isEqualTo(expected);
			netty.close();
		}
	}

	private static List<String> write(Http2FrameWriter writer, ByteBuf out, Random random, NettyFrames netty)
			throws Exception {
		int id = 1 + random.nextInt(Integer.MAX_VALUE);
		boolean end = random.nextBoolean();
		switch (random.nextInt(9)) {
			case 0 -> {
				byte[] data = new byte[random.nextInt(1000)];
				random.nextBytes(data);
				int offset = random.nextInt(data.length + 1);
				writer.data(out, id, data, offset, data.length - offset, end);
				return List.of(RecordedFrames.data(id, Arrays.copyOfRange(data, offset, data.length), 0, end));
			}
			case 1 -> {
				writer.rstStream(out, id, Http2Error.values()[random.nextInt(14)]);
				return List.of("RST_STREAM %d %d".formatted(id, out.getInt(out.writerIndex() - 4)));
			}
			case 2 -> {
				writer.ping(out, id);
				writer.pingAck(out, -id);
				return List.of("PING " + id, "PING ACK " + -id);
			}
			case 3 -> {
				writer.windowUpdate(out, id, 1 + random.nextInt(Integer.MAX_VALUE));
				return List.of("WINDOW_UPDATE %d %d".formatted(id, out.getInt(out.writerIndex() - 4)));
			}
			case 4 -> {
				String debug = "x".repeat(random.nextInt(30));
				writer.goAway(out, id, Http2Error.CANCEL, debug);
				return List.of(RecordedFrames.goAway(id, 8, debug.getBytes(StandardCharsets.US_ASCII)));
			}
			case 5 -> {
				long size = random.nextInt(5000);
				writer.apply(new Http2Settings().set(Http2Settings.HEADER_TABLE_SIZE, size));
				netty.maxHeaderTableSize(size);
				return List.of();
			}
			default -> {
				List<String[]> fields = NettyHpack.fields(random, true);
				if (random.nextInt(5) == 0) {
					fields.add(new String[] { "x-long", "~".repeat(random.nextInt(60_000)) });
				}
				int index = writer.beginHeaders(out, id, end);
				fields.forEach((field) -> writer.encoder()
					.encode(out, field[0], field[1], Indexing.values()[random.nextInt(4)]));
				writer.endHeaders(out, index);
				return List.of(RecordedFrames.headers(id,
						fields.stream().map((field) -> field[0] + ": " + field[1]).toList(), end));
			}
		}
	}

}
