package io.rpcboot.internal.protocol.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class Http2FrameWriterTests {

	private final Http2FrameWriter writer = new Http2FrameWriter();

	/** Not empty, because other frames of a batch precede. */
	private final ByteBuf out = Unpooled.directBuffer(4).writeInt(0);

	private final ReaderFixture peer = ReaderFixture.open();

	@AfterEach
	void release() {
		this.out.release();
	}

	private String written() {
		byte[] bytes = ByteBufUtil.getBytes(this.out, 4, this.out.writerIndex() - 4);
		this.out.writerIndex(4);
		this.peer.receive(bytes);
		return ByteBufUtil.hexDump(bytes);
	}

	private void headers(int streamId, boolean end, String... fields) {
		int index = this.writer.beginHeaders(this.out, streamId, end);
		for (int i = 0; i < fields.length; i += 2) {
			this.writer.encoder().encode(this.out, fields[i], fields[i + 1], Indexing.FIELD);
		}
		this.writer.endHeaders(this.out, index);
	}

	private void response(int streamId, String body) {
		headers(streamId, false, ":status", "200", "content-type", "application/grpc");
		byte[] bytes = ReaderFixture.bytes(body);
		this.writer.data(this.out, streamId, bytes, 0, bytes.length, false);
		headers(streamId, true, "grpc-status", "0");
	}

	@Test
	void frames_haveTheirBytes() {
		this.writer.data(this.out, 5, new byte[] { 1, 2, 3, 4 }, 1, 2, true);
		assertThat(written()).isEqualTo("00000200010000000502" + "03");
		this.writer.dataHeader(this.out, 5, 0, false);
		assertThat(written()).isEqualTo("000000000000000005");
		this.writer.rstStream(this.out, 5, Http2Error.CANCEL);
		assertThat(written()).isEqualTo("00000403000000000500000008");
		this.writer.settings(this.out,
				new Http2Settings().set(Http2Settings.MAX_FRAME_SIZE, 16384)
					.set(Http2Settings.ENABLE_PUSH, 0)
					.set(Http2Settings.MAX_CONCURRENT_STREAMS, 0xffffffffL));
		assertThat(written()).isEqualTo("000012040000000000" + "000200000000" + "0003ffffffff" + "000500004000");
		this.writer.settingsAck(this.out);
		assertThat(written()).isEqualTo("000000040100000000");
		this.writer.ping(this.out, -2);
		assertThat(written()).isEqualTo("000008060000000000fffffffffffffffe");
		this.writer.pingAck(this.out, -2);
		assertThat(written()).isEqualTo("000008060100000000fffffffffffffffe");
		this.writer.goAway(this.out, 7, Http2Error.ENHANCE_YOUR_CALM, "too_many");
		assertThat(written()).isEqualTo("000010070000000000000000070000000b746f6f5f6d616e79");
		this.writer.windowUpdate(this.out, 0, 65535);
		assertThat(written()).isEqualTo("0000040800000000000000ffff");
		headers(3, true, ":status", "200");
		assertThat(written()).isEqualTo("00000101050000000388");
		assertThat(this.peer.frames.events).containsExactly("DATA 5 [0203] end", "DATA 5 []", "RST_STREAM 5 8",
				"SETTINGS {2=0, 3=4294967295, 5=16384}", "SETTINGS ACK", "PING -2", "PING ACK -2",
				"GOAWAY 7 11 [746f6f5f6d616e79]", "WINDOW_UPDATE 0 65535", "HEADERS 3 [:status: 200] end");
	}

	@Test
	void preface_isThatOfTheRfc() {
		this.writer.preface(this.out);
		this.writer.settings(this.out, new Http2Settings());
		ReaderFixture server = ReaderFixture.server();
		server.receive(ByteBufUtil.getBytes(this.out, 4, this.out.writerIndex() - 4));
		assertThat(server.frames.events).containsExactly("SETTINGS {}");
	}

	@ParameterizedTest
	@ValueSource(ints = { 16_381, 16_382, 32_765, 32_766, 100_000 })
	void longBlock_isSplit(int length) {
		Http2FrameReader reader = Http2FrameReader.client(new byte[70_000], new RecordingResolver(), 200_000, () -> 0,
				this.peer.frames);
		this.writer.settings(this.out, new Http2Settings());
		headers(3, true, "a", "b".repeat(length - 5));
		this.writer.ping(this.out, 1);
		this.out.readerIndex(4);
		reader.read(this.out);
		assertThat(this.peer.frames.events).containsExactly("SETTINGS {}",
				"HEADERS 3 [a: %s] end".formatted("b".repeat(length - 5)), "PING 1");
	}

	@Test
	void longerFrames_areWritten_ifThePeerAllowsThem() {
		this.writer.apply(new Http2Settings().set(Http2Settings.MAX_FRAME_SIZE, 20_000));
		assertThat(this.writer.maxFrameSize()).isEqualTo(20_000);
		headers(3, true, "a", "b".repeat(19_000));
		assertThat(this.out.getUnsignedMedium(4)).isEqualTo(this.out.writerIndex() - 4 - 9).isGreaterThan(19_000);
		this.writer.apply(new Http2Settings().set(Http2Settings.ENABLE_PUSH, 0));
		assertThat(this.writer.maxFrameSize()).as("without a value").isEqualTo(20_000);
	}

	@Test
	void smallerTable_isAnnounced_inTheNextBlock() {
		headers(1, true, "a", "b");
		this.writer.apply(new Http2Settings().set(Http2Settings.HEADER_TABLE_SIZE, 0));
		headers(3, true, "a", "b");
		assertThat(written()).endsWith("000006" + "0105" + "00000003" + "20" + "0001610162");
	}

	@Test
	void response_isTheSame_fromItsTemplate() {
		response(1, "00000000010a");
		written();
		int generation = this.writer.encoder().generation();
		int start = this.out.writerIndex();
		response(3, "00000000010a");
		assertThat(this.writer.encoder().generation()).isEqualTo(generation);
		FrameTemplate template = FrameTemplate.capture(this.out, start, generation);
		String second = written();
		assertThat(template.generation()).isEqualTo(generation);
		template.writeHead(this.out, 0x7ffffffd, 7);
		this.out.writeBytes(ReaderFixture.bytes("00000000020b0c"));
		template.writeTail(this.out, 0x7ffffffd);
		assertThat(written()).isEqualTo(second.replace("000006000000000003", "000007000000000003")
			.replace("00000003", "7ffffffd")
			.replace("00000000010a", "00000000020b0c"));
		assertThat(this.peer.frames.events.subList(6, 9)).containsExactly(
				"HEADERS 2147483645 [:status: 200, content-type: application/grpc]", "DATA 2147483645 [00000000020b0c]",
				"HEADERS 2147483645 [grpc-status: 0] end");
	}

	@Test
	void requestWithATimeout_isWritten_fromTheTemplateOfItsHeaders() {
		headers(1, false, ":path", "/A/b", "te", "trailers");
		int first = this.writer.beginHeaders(this.out, 3, false);
		this.writer.encoder().encode(this.out, "grpc-timeout", "1S", Indexing.NAME);
		this.writer.endHeaders(this.out, first);
		written();
		headers(5, false, ":path", "/A/b", "te", "trailers");
		FrameTemplate template = FrameTemplate.capture(this.out, 4, this.writer.encoder().generation());
		written();
		for (int i = 7; i < 11; i += 2) {
			int start = this.out.writerIndex();
			template.writeHead(this.out, i, -1);
			this.writer.encoder().encode(this.out, "grpc-timeout", i + "m", Indexing.NAME);
			this.writer.endHeaders(this.out, start);
			this.writer.data(this.out, i, new byte[] { 9 }, 0, 1, true);
			template.writeTail(this.out, i);
			written();
		}
		assertThat(this.peer.frames.events.subList(3, 7)).containsExactly(
				"HEADERS 7 [:path: /A/b, te: trailers, grpc-timeout: 7m]", "DATA 7 [09] end",
				"HEADERS 9 [:path: /A/b, te: trailers, grpc-timeout: 9m]", "DATA 9 [09] end");
	}

	@Test
	void templateOfARequest_hasNoTail() {
		headers(1, false, ":path", "/A/b");
		written();
		headers(1, false, ":path", "/A/b");
		this.writer.data(this.out, 1, new byte[5], 0, 5, true);
		FrameTemplate template = FrameTemplate.capture(this.out, 4, 0);
		written();
		template.writeHead(this.out, 3, 2);
		this.out.writeShort(0x0708);
		template.writeTail(this.out, 3);
		assertThat(written())
			.isEqualTo("000001" + "0104" + "00000003" + "be" + "000002" + "0001" + "00000003" + "0708");
	}

	@Test
	void template_isWritten_withoutAllocation() {
		headers(1, false, ":path", "/A/b", "grpc-timeout", "1S");
		this.out.writerIndex(4);
		headers(1, false, ":path", "/A/b");
		FrameTemplate template = FrameTemplate.capture(this.out, 4, 0);
		// not a direct one, whose uses the leak detector writes down
		ByteBuf heap = Unpooled.buffer(1000);
		Runnable task = () -> {
			heap.clear();
			template.writeHead(heap, 7, -1);
			this.writer.encoder().encode(heap, "grpc-timeout", "999m", Indexing.NAME);
			this.writer.endHeaders(heap, 0);
			this.writer.dataHeader(heap, 7, 0, true);
		};
		assertThat(LeastAllocated.by(task, 10_000)).isZero();
	}

	@Test
	void templateOfTwoData_isRefused() {
		this.writer.data(this.out, 1, new byte[1], 0, 1, false);
		this.writer.data(this.out, 1, new byte[1], 0, 1, false);
		assertThatIllegalArgumentException().isThrownBy(() -> FrameTemplate.capture(this.out, 4, 0))
			.withMessageContaining("at most one");
	}

}
