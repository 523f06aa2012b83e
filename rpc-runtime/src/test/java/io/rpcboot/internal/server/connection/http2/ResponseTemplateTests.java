package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.FrameTemplate;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Plain successes from templates, read by Netty in the order in which they are sent. */
class ResponseTemplateTests {

	private static final int HEADERS = 1;

	private static final int FRAME_HEADER = 9;

	private final Http2FrameWriter writer = new Http2FrameWriter();

	private final ResponseHeaders headers = new ResponseHeaders(this.writer);

	private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true);

	private int streamId = -1;

	/** Writes a success as a stream does. Returns true if it is from the template. */
	private boolean success() throws Exception {
		ByteBuf out = Unpooled.buffer();
		this.streamId += 2;
		FrameTemplate template = this.headers.success();
		if (template != null) {
			template.writeHead(out, this.streamId, 3);
			out.writeMedium(0x010203);
			template.writeTail(out, this.streamId);
		}
		else {
			int generation = this.headers.generation();
			this.headers.headers(out, this.streamId, List.of());
			this.writer.data(out, this.streamId, new byte[] { 1, 2, 3 }, 0, 3, false);
			this.headers.trailers(out, this.streamId, null, false);
			this.headers.capture(out, 0, generation);
		}
		List<Http2Headers> blocks = blocks(out);
		assertThat(blocks).hasSize(2);
		assertThat(blocks.get(0).status()).hasToString("200");
		assertThat(blocks.get(0).get("content-type")).hasToString("application/grpc");
		assertThat(blocks.get(1).get("grpc-status")).hasToString("0");
		assertThat(blocks.get(1)).hasSize(1);
		return template != null;
	}

	/** Reads all frames, which belong to the current stream. */
	private List<Http2Headers> blocks(ByteBuf in) throws Exception {
		List<Http2Headers> blocks = new ArrayList<>();
		while (in.isReadable()) {
			int length = in.getUnsignedMedium(in.readerIndex());
			int type = in.getByte(in.readerIndex() + 3);
			assertThat(in.getInt(in.readerIndex() + 5)).isEqualTo(this.streamId);
			ByteBuf payload = in.skipBytes(FRAME_HEADER).readSlice(length);
			if (type == HEADERS) {
				blocks.add(this.decoder.decodeHeaders(this.streamId, payload));
			}
		}
		return blocks;
	}

	private Http2Headers failure(ResponseTrailers trailers) throws Exception {
		ByteBuf out = Unpooled.buffer();
		this.streamId += 2;
		this.headers.trailers(out, this.streamId, trailers, true);
		return blocks(out).get(0);
	}

	private void templateIsUsedFrom(int number) throws Exception {
		for (int i = 1; i <= number + 2; i++) {
			assertThat(success()).as("response %d", i).isEqualTo(i >= number);
		}
	}

	@Test
	void template_isUsed_fromThirdResponseOn() throws Exception {
		templateIsUsedFrom(3);
	}

	@Test
	void template_stays_afterOtherAttachments() throws Exception {
		templateIsUsedFrom(3);
		for (int i = 0; i < 3; i++) {
			ByteBuf out = Unpooled.buffer();
			this.streamId += 2;
			this.headers.headers(out, this.streamId, List.of());
			this.headers.trailers(out, this.streamId, ResponseTrailers.ok(Map.of("name" + i, "value")), false);
			assertThat(blocks(out).get(1).get("name" + i)).hasToString("value");
			assertThat(success()).isTrue();
		}
	}

	@Test
	void template_isMadeAnew_afterFieldThatEntersTable() throws Exception {
		templateIsUsedFrom(3);
		for (int i = 0; i < 3; i++) {
			Http2Headers fields = failure(ResponseTrailers.notExecuted(RpcStatus.UNAVAILABLE, "text " + i));
			assertThat(fields.get("grpc-status")).hasToString("14");
			assertThat(fields.get("grpc-message")).hasToString("text " + i);
			templateIsUsedFrom((i == 0) ? 2 : 1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 40, 100, 4095, 8192 })
	void template_isMadeAnew_afterOtherSizeOfTable(int size) throws Exception {
		templateIsUsedFrom(3);
		this.writer.apply(new Http2Settings().set(Http2Settings.HEADER_TABLE_SIZE, size));
		this.decoder.maxHeaderTableSize(size);
		boolean used = false;
		for (int i = 0; i < 5; i++) {
			used = success();
		}
		assertThat(used).isTrue();
		assertThat(failure(ResponseTrailers.notExecuted(RpcStatus.INTERNAL, "x")).get("grpc-status")).hasToString("13");
		success();
	}

}
