package io.rpcboot.internal.transport.http1;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Request of HTTP/1.1 and its response, as the client of a channel of their own. Event
 * loop only, except the constructor and {@link #response()}.
 */
public final class Http1Exchange extends ChannelInboundHandlerAdapter implements InboundHandler {

	/** Bytes of the body that are written at once; the server may stop to read. */
	private static final int PART = 16 * 1024;

	private final HttpRequest head;

	private final byte[] body;

	private final int maxHead;

	private final int maxBody;

	private final CompletableFuture<Response> response = new CompletableFuture<>();

	private int reads;

	/**
	 * Response of a server.
	 *
	 * @param status status of HTTP
	 * @param fields header fields
	 * @param body the whole body
	 */
	public record Response(int status, List<Map.Entry<String, String>> fields, byte[] body) {
	}

	/**
	 * Creates a request. Its channel begins it.
	 * @param fields header fields, without the length of the body
	 * @param maxHead longest head of the response, in bytes
	 * @param maxBody longest body of the response, in bytes
	 * @throws IllegalArgumentException if a field has a line break or another control
	 * character
	 */
	public Http1Exchange(String path, Map<String, String> fields, byte[] body, int maxHead, int maxBody) {
		this.head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, path);
		fields.forEach(this.head.headers()::set);
		HttpUtil.setContentLength(this.head, body.length);
		this.body = body;
		this.maxHead = maxHead;
		this.maxBody = maxBody;
	}

	/**
	 * Returns the response. Any completion, also by a timeout of the caller, closes the
	 * channel.
	 * @return fails with {@link IOException} without a response
	 */
	public CompletableFuture<Response> response() {
		return this.response;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		context.pipeline()
			.addBefore(context.name(), null,
					new HttpClientCodec(new HttpDecoderConfig().setMaxHeaderSize(this.maxHead), false, false))
			.addBefore(context.name(), null, new HttpObjectAggregator(this.maxBody));
		this.response.whenComplete((done, failure) -> context.close());
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		context.write(this.head);
		for (int from = 0; from < this.body.length; from += PART) {
			int count = Math.min(PART, this.body.length - from);
			context.write(new DefaultHttpContent(Unpooled.wrappedBuffer(this.body, from, count)));
		}
		context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		FullHttpResponse received = (FullHttpResponse) message;
		try {
			if (received.decoderResult().isFailure()) {
				fail(received.decoderResult().cause());
			}
			else {
				this.response.complete(new Response(received.status().code(), received.headers().entries(),
						ByteBufUtil.getBytes(received.content())));
			}
		}
		finally {
			received.release();
		}
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		this.reads++;
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.response.completeExceptionally(new IOException("the connection has ended without a response"));
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		fail(cause);
	}

	/** Ends the exchange: there is no channel, or it cannot be read. Any thread. */
	public void fail(Throwable cause) {
		this.response.completeExceptionally((cause instanceof TooLongFrameException) ? new IOException(
				"the response is longer than %d bytes, or its head than %d".formatted(this.maxBody, this.maxHead))
				: cause);
	}

	@Override
	public @Nullable Protocol protocol() {
		return Protocol.CONNECT;
	}

	@Override
	public int reads() {
		return this.reads;
	}

}
