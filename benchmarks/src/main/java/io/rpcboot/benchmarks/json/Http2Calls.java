package io.rpcboot.benchmarks.json;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;

/**
 * Calls of one connection of HTTP/2, whose bodies are one frame each.
 */
final class Http2Calls extends HttpCalls {

	private final Map<Http2FrameStream, CharSequence> paths = new HashMap<>();

	Http2Calls(JsonCalls calls) {
		super(calls);
	}

	@Override
	void read(ChannelHandlerContext context, Object message) throws IOException {
		if (message instanceof Http2HeadersFrame headers) {
			this.paths.put(headers.stream(), headers.headers().path());
		}
		else if (message instanceof Http2DataFrame data) {
			answer(context, data);
		}
	}

	private void answer(ChannelHandlerContext context, Http2DataFrame data) throws IOException {
		Http2FrameStream stream = data.stream();
		CharSequence path = this.paths.remove(stream);
		if (path == null || !data.isEndStream()) {
			throw new IOException("body: " + data.content().readableBytes() + " bytes (expected: one frame)");
		}
		ByteBuf json = Unpooled.wrappedBuffer(this.calls.call(path, data.content()));
		context.write(new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes()).stream(stream));
		Http2Headers headers = new DefaultHttp2Headers().status(HttpResponseStatus.OK.codeAsText())
			.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
			.setInt(HttpHeaderNames.CONTENT_LENGTH, json.readableBytes());
		context.write(new DefaultHttp2HeadersFrame(headers).stream(stream));
		context.write(new DefaultHttp2DataFrame(json, true).stream(stream));
	}

}
