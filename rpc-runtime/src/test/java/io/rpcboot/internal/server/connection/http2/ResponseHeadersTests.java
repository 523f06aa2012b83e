package io.rpcboot.internal.server.connection.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.grpc.GrpcMessage;
import io.rpcboot.internal.protocol.grpc.StatusDetails;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import io.rpcboot.serialization.OutputBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseHeadersTests {

	private static final int FRAME_HEADER = 9;

	private static Http2Headers written(ResponseTrailers trailers) throws Http2Exception {
		ByteBuf out = Unpooled.buffer();
		new ResponseHeaders(new Http2FrameWriter()).trailers(out, 1, trailers, true);
		return new DefaultHttp2HeadersDecoder(true).decodeHeaders(1, out.skipBytes(FRAME_HEADER));
	}

	@Test
	void details_haveCodeAndMessageOfTheFieldsBesideThem() throws Http2Exception {
		byte[] exception = { 10, 1, 'x' };
		OutputBuffer buffer = new OutputBuffer(new byte[16], 16);
		buffer.write(exception, 0, exception.length);
		Http2Headers fields = written(
				ResponseTrailers.declared(RpcStatus.DECLARED, "RefusedException: no", buffer, null));
		StatusDetails details = StatusDetails.parse(String.valueOf(fields.get("grpc-status-details-bin")));
		assertThat(fields.get("grpc-status")).hasToString("2");
		assertThat(details.code()).isEqualTo(2);
		assertThat(details.message()).isEqualTo(GrpcMessage.decode(String.valueOf(fields.get("grpc-message"))))
			.isNotEmpty();
		assertThat(details.details()).containsExactly(exception);
	}

	@Test
	void callThatDidNotRun_saysSo() throws Http2Exception {
		Http2Headers fields = written(ResponseTrailers.notExecuted(RpcStatus.UNAVAILABLE, "not ready"));
		assertThat(fields.get(":status")).hasToString("200");
		assertThat(fields.get("grpc-status")).hasToString("14");
		assertThat(fields.get("rpc-executed")).hasToString("false");
	}

}
