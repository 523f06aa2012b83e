package io.rpcboot.internal.protocol.http2;

import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.rpcboot.internal.protocol.http2.ReaderFixture.PREFACE;
import static io.rpcboot.internal.protocol.http2.ReaderFixture.REQUEST;
import static io.rpcboot.internal.protocol.http2.ReaderFixture.SETTINGS;
import static io.rpcboot.internal.protocol.http2.ReaderFixture.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class Http2FrameReaderTests {

	/** Frames of all types, and what they are reported as. */
	private static final String STREAM = PREFACE + frame(4, 0, 0, "0001 00000000 0003 00000064 0004 00010000")
			+ frame(4, 1, 0, "") + frame(1, 4, 1, REQUEST) + frame(0, 0, 1, "0102") + frame(0, 1, 1, "03")
			+ frame(1, 0, 3, "83") + frame(9, 0, 3, "86") + frame(9, 4, 3, "84") + frame(0, 9, 3, "02 0405 0000")
			+ frame(2, 0, 9, "00000001 10") + frame(3, 0, 3, "00000008") + frame(6, 0, 0, "0000000000000011")
			+ frame(6, 1, 0, "0000000000000012") + frame(8, 0, 0, "0000ffff") + frame(8, 0, 1, "80000001")
			+ frame(77, 255, 5, "abcd") + frame(1, 0x2d, 5, "01 00000001 10 838684 00")
			+ frame(7, 0, 0, "00000005 00000000 6279 65");

	private static final List<String> EVENTS = List.of("SETTINGS {1=0, 3=100, 4=65536}", "SETTINGS ACK",
			"HEADERS 1 [:method: POST, :scheme: http, :path: /]", "DATA 1 [0102]", "DATA 1 [03] end",
			"HEADERS 3 [:method: POST, :scheme: http, :path: /]", "DATA 3 [0405] padding 3 end", "RST_STREAM 3 8",
			"PING 17", "PING ACK 18", "WINDOW_UPDATE 0 65535", "WINDOW_UPDATE 1 1",
			"HEADERS 5 [:method: POST, :scheme: http, :path: /] end", "GOAWAY 5 0 [627965]");

	@Test
	void manyFrames_areReported_fromOneRead() {
		ReaderFixture fixture = ReaderFixture.server();
		fixture.receive(STREAM);
		assertThat(fixture.frames.events).isEqualTo(EVENTS);
		assertThat(fixture.reader.isInFrame()).isFalse();
	}

	@Test
	void frames_areReported_whenCutAtAnyOffset() {
		byte[] stream = ReaderFixture.bytes(STREAM);
		for (int cut = 0; cut <= stream.length; cut++) {
			ReaderFixture fixture = ReaderFixture.server();
			fixture.receive(stream, 0, cut);
			fixture.receive(stream, cut, stream.length);
			assertThat(fixture.frames.events).as("cut at %d", cut).isEqualTo(EVENTS);
			assertThat(fixture.reader.isInFrame()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 5, 8, 9, 10, 13, 23, 24, 25, 40 })
	void frames_areReported_inPiecesOfAnySize(int size) {
		byte[] stream = ReaderFixture.bytes(STREAM);
		ReaderFixture fixture = ReaderFixture.server();
		for (int i = 0; i < stream.length; i += size) {
			fixture.receive(stream, i, Math.min(stream.length, i + size));
		}
		assertThat(fixture.frames.events).isEqualTo(EVENTS);
		ReaderFixture smallChunk = ReaderFixture.server(size);
		smallChunk.receive(stream);
		assertThat(smallChunk.frames.events).as("a chunk of this size").isEqualTo(EVENTS);
	}

	@Test
	void frame_isReported_withItsLastByte() {
		ReaderFixture fixture = ReaderFixture.open();
		byte[] ping = ReaderFixture.bytes(frame(6, 0, 0, "0000000000000011"));
		fixture.receive(ping, 0, ping.length - 1);
		assertThat(fixture.frames.events).isEmpty();
		assertThat(fixture.reader.isInFrame()).isTrue();
		fixture.receive(ping, ping.length - 1, ping.length);
		assertThat(fixture.frames.events).containsExactly("PING 17");
		assertThat(fixture.reader.isInFrame()).isFalse();
	}

	@Test
	void headerBlock_isIncomplete_untilItsEnd() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 0, 1, "8386"));
		assertThat(fixture.reader.isInFrame()).isTrue();
		assertThat(fixture.frames.events).isEmpty();
		fixture.receive(frame(9, 4, 1, "84"));
		assertThat(fixture.reader.isInFrame()).isFalse();
	}

	@Test
	void held_isMemoryOfTheIncompleteFrame_andOfTheBlock() {
		ReaderFixture fixture = ReaderFixture.open();
		assertThat(fixture.reader.held()).isZero();
		long before = fixture.reader.complete();
		byte[] data = ReaderFixture.bytes(frame(77, 0, 1, "00".repeat(1000)));
		fixture.receive(data, 0, 900);
		assertThat(fixture.reader.held()).isBetween(900, data.length);
		fixture.receive(data, 900, data.length);
		assertThat(fixture.reader.held()).isZero();
		assertThat(fixture.reader.complete()).isEqualTo(before + 1);
		fixture.receive(frame(1, 0, 1, "40 01 61 7f 87 03" + "62".repeat(260)));
		fixture.receive(frame(9, 0, 1, "62".repeat(200)));
		assertThat(fixture.reader.held()).isBetween(460, 1000);
		assertThat(fixture.reader.complete()).as("a frame of an incomplete block").isEqualTo(before + 1);
		fixture.receive(frame(9, 4, 1, "62".repeat(58)));
		assertThat(fixture.reader.held()).isZero();
		assertThat(fixture.reader.complete()).isEqualTo(before + 2);
	}

	@Test
	void field_isDecoded_whenItIsCutByFrames() {
		ReaderFixture fixture = ReaderFixture.open();
		byte[] block = ReaderFixture.bytes("83 86 44 0a 2f41 2f62 6364 6566 6768 40 01 61 01 62");
		for (int cut = 0; cut <= block.length; cut++) {
			ByteBuf in = Unpooled.wrappedBuffer(block);
			fixture.receive(
					frame(1, 1, 1, hex(in, cut)) + frame(9, 0, 1, "") + frame(9, 4, 1, hex(in, in.readableBytes())));
		}
		assertThat(fixture.frames.events).hasSize(block.length + 1)
			.containsOnly("HEADERS 1 [:method: POST, :scheme: http, :path: /A/bcdefgh, a: b] end");
	}

	private static String hex(ByteBuf in, int length) {
		return ByteBufUtil.hexDump(in.readSlice(length));
	}

	@Test
	void longestFrame_isReported() {
		ReaderFixture fixture = ReaderFixture.open();
		byte[] data = new byte[16_384];
		new Random(1).nextBytes(data);
		String hex = frame(0, 0, 1, HexFormat.of().formatHex(data));
		fixture.receive(hex);
		byte[] bytes = ReaderFixture.bytes(hex);
		for (int i = 0; i < bytes.length; i += 1000) {
			fixture.receive(bytes, i, Math.min(bytes.length, i + 1000));
		}
		assertThat(fixture.frames.events).containsExactly(RecordedFrames.data(1, data, 0, false),
				RecordedFrames.data(1, data, 0, false));
	}

	@Test
	void padding_isCounted() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(0, 8, 1, "00 0102") + frame(0, 8, 1, "02 0000") + frame(0, 8, 1, "00"));
		assertThat(fixture.frames.events).containsExactly("DATA 1 [0102] padding 1", "DATA 1 [] padding 3",
				"DATA 1 [] padding 1");
	}

	@Test
	void reservedBits_areIgnored() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive("000000 00 01 80000001" + "000004 08 ff ffffffff 80000005" + "000008 07 ff 80000000"
				+ "80000003 00000002");
		assertThat(fixture.frames.events).containsExactly("DATA 1 [] end", "WINDOW_UPDATE 2147483647 5",
				"GOAWAY 3 2 []");
	}

	@Test
	void lastValueOfASetting_counts() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(
				frame(4, 0, 0, "0004 00000001 0001 00000010 00ff 00000005 0004 00000002 0001 00000800 0000 0001 0000"));
		assertThat(fixture.frames.events).containsExactly("SETTINGS {1=2048, 4=2}");
	}

	@ParameterizedTest
	@CsvSource({ "0002 00000000, {2=0}", "0002 00000001, {2=1}", "0004 7fffffff, {4=2147483647}",
			"0005 00004000, {5=16384}", "0005 00ffffff, {5=16777215}", "0001 ffffffff, {1=4294967295}",
			"0003 ffffffff, {3=4294967295}", "0006 00000000, {6=0}", "0008 00000001, {}", "ffff ffffffff, {}" })
	void settings_areAccepted_upToTheirBounds(String payload, String values) {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(4, 0, 0, payload));
		assertThat(fixture.frames.events).containsExactly("SETTINGS " + values);
	}

	@Test
	void client_readsNoPreface() {
		ReaderFixture fixture = ReaderFixture.client();
		fixture.receive(SETTINGS + frame(1, 5, 1, "88"));
		assertThat(fixture.frames.events).containsExactly("SETTINGS {}", "HEADERS 1 [:status: 200] end");
	}

	@Test
	void stoppedReader_reportsNothing() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.frames.before = fixture.reader::stop;
		fixture.receive(frame(0, 0, 1, "01") + frame(0, 0, 1, "02") + "0000");
		fixture.receive(frame(0, 0, 1, "03"));
		assertThat(fixture.frames.events).containsExactly("DATA 1 [01]");
		assertThat(fixture.reader.isInFrame()).isFalse();
	}

	@Test
	void stoppedReader_reportsNothing_behindAFrameInParts() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.frames.before = fixture.reader::stop;
		byte[] frames = ReaderFixture.bytes(frame(0, 0, 1, "0102") + frame(0, 0, 1, "02"));
		fixture.receive(frames, 0, 10);
		fixture.receive(frames, 10, frames.length);
		assertThat(fixture.frames.events).containsExactly("DATA 1 [0102]");
	}

	@Test
	void exceptionOfAStream_comesBack_andTheNextFrameIsRead() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.frames.validation = (validator) -> validator.requireRequest(1);
		fixture.receive(frame(1, 4, 1, "40 01 61 01 62") + frame(1, 4, 3, REQUEST + "be"));
		assertThat(fixture.frames.events).containsExactly("HEADERS 1 [a: b]", "error of stream 1: PROTOCOL_ERROR",
				"HEADERS 3 [:method: POST, :scheme: http, :path: /, a: b]");
	}

	@Test
	void exceptionOfTheListener_endsTheReader() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.frames.before = () -> {
			throw new IllegalStateException("a fault");
		};
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> fixture.receive(frame(0, 0, 1, "01") + frame(0, 0, 1, "01")));
		fixture.frames.before = () -> {
		};
		fixture.receive(frame(0, 0, 1, "03"));
		assertThat(fixture.frames.events).isEmpty();
	}

	@Test
	void streamThatDependsOnItself_isRejected_andTheTableIsKept() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.frames.validation = (validator) -> validator.requireRequest(3);
		fixture.receive(frame(1, 0x24, 3, "80000003 10" + REQUEST + "40 01 61 01 62"));
		assertThat(fixture.frames.streamError.error()).isEqualTo(Http2Error.PROTOCOL_ERROR);
		fixture.receive(frame(1, 4, 5, REQUEST + "be"));
		assertThat(fixture.frames.events).hasSize(3).last().asString().endsWith("/, a: b]");
	}

	@Test
	void tooLongBlock_isReportedAsTooLong() {
		ReaderFixture fixture = ReaderFixture.open();
		String longest = "00 01 61 7f e9 06" + "62".repeat(127 + 0x69 + (6 << 7));
		fixture.receive(frame(1, 4, 1, REQUEST + longest + "40 01 61 01 62"));
		fixture.receive(frame(1, 5, 3, REQUEST + "be"));
		assertThat(fixture.frames.events).containsExactly("HEADERS 1 [:method: POST, :scheme: http, :path: /] too long",
				"HEADERS 3 [:method: POST, :scheme: http, :path: /, a: b] end");
	}

	/** A header of nine bytes promises 16 KB, which must not be allocated for it. */
	@Test
	void frameThatDoesNotArrive_costsNoMemory() {
		ReaderFixture fixture = ReaderFixture.open();
		byte[] frame = ReaderFixture.bytes("004000 00 00 00000001" + "00".repeat(100));
		ByteBuf in = Unpooled.wrappedBuffer(frame);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		fixture.reader.read(Unpooled.EMPTY_BUFFER);
		long before = threads.getCurrentThreadAllocatedBytes();
		fixture.reader.read(in);
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
	}

	@Test
	void frames_areRead_withoutAllocation() {
		int[] events = new int[1];
		Http2FrameReader reader = Http2FrameReader.server(new byte[4096], new RecordingResolver(), 1000, () -> 0,
				new CountingListener(events));
		reader.read(Unpooled
			.wrappedBuffer(ReaderFixture.bytes(PREFACE + SETTINGS + frame(1, 4, 1, REQUEST + "40 01 61 01 62"))));
		ByteBuf in = Unpooled.wrappedBuffer(ReaderFixture
			.bytes(frame(1, 4, 3, REQUEST + "be") + frame(0, 1, 3, "0000000001 02") + frame(1, 5, 3, "be")));
		Runnable read = () -> {
			in.readerIndex(0);
			reader.read(in);
		};
		assertThat(LeastAllocated.by(read, 10_000)).as("bytes for each read").isZero();
		assertThat(events[0]).isGreaterThanOrEqualTo(3 * 40_000);
	}

	/** Counts DATA and blocks. */
	private static final class CountingListener implements Http2FrameListener {

		private final int[] events;

		CountingListener(int[] events) {
			this.events = events;
		}

		@Override
		public void onData(int streamId, byte[] bytes, int offset, int length, int padding, boolean endStream) {
			this.events[0]++;
		}

		@Override
		public void onHeadersBegin(int streamId) {
		}

		@Override
		public void onHeader(HeaderField field) {
		}

		@Override
		public void onHeadersEnd(int streamId, boolean endStream, boolean tooLong, HeaderValidator fields) {
			this.events[0]++;
		}

		@Override
		public void onRstStream(int streamId, int errorCode) {
		}

		@Override
		public int onSettings(Http2Settings settings) {
			return 0;
		}

		@Override
		public void onSettingsAck() {
		}

		@Override
		public void onPing(long data) {
		}

		@Override
		public void onPingAck(long data) {
		}

		@Override
		public void onGoAway(int lastStreamId, int errorCode, byte[] bytes, int offset, int length) {
		}

		@Override
		public void onWindowUpdate(int streamId, int increment) {
		}

		@Override
		public void onStreamError(Http2Exception error) {
		}

	}

}
