package io.rpcboot.benchmarks.json;

import java.io.IOException;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Calls of one connection of HTTP/1.1, which stays open.
 */
final class Http1Calls extends HttpCalls {

	Http1Calls(JsonCalls calls) {
		super(calls);
	}

	@Override
	void read(ChannelHandlerContext context, Object message) throws IOException {
		FullHttpRequest request = (FullHttpRequest) message;
		byte[] json = this.calls.call(request.uri(), request.content());
		FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
				Unpooled.wrappedBuffer(json));
		response.headers()
			.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
			.set(HttpHeaderNames.CONTENT_LENGTH, json.length);
		context.write(response);
	}

}
