package io.rpcboot.internal.transport.http1;

import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Netty's decoder of requests, outside of a pipeline: bytes are given to it, and parts of
 * a request come back. Event loop only.
 */
final class Http1Decoder extends HttpRequestDecoder {

	/** Longest request line, in bytes: that of Netty, of Tomcat and of most proxies. */
	private static final int MAX_LINE = 8192;

	private final ChannelHandlerContext context;

	/** Bytes of the head that is incomplete, with those between requests. */
	private int headBytes;

	/** True while a head, or nothing, is being read. */
	private boolean inHead = true;

	/** Last byte of the head that was read. */
	private int last;

	/** True if a line of a head begins with a blank. */
	private boolean isFolded;

	/**
	 * Creates a decoder.
	 * @param maxHeaderSize longest header section, in bytes
	 */
	Http1Decoder(ChannelHandlerContext context, int maxHeaderSize) {
		super(new HttpDecoderConfig().setMaxInitialLineLength(MAX_LINE)
			.setMaxHeaderSize(maxHeaderSize)
			.setStrictLineParsing(true)
			.setUseRfc9112TransferEncoding(true));
		this.context = context;
	}

	/**
	 * Reads the next part of a request.
	 * @param in bytes, of which some are read
	 * @param parts receives the parts, which the caller releases
	 * @return false if more bytes are needed
	 */
	boolean next(ByteBuf in, List<Object> parts) throws Exception {
		int begin = in.readerIndex();
		decode(this.context, in, parts);
		if (this.inHead) {
			this.headBytes += in.readerIndex() - begin;
			findFold(in, begin);
		}
		for (Object each : parts) {
			if (each instanceof HttpRequest) {
				this.inHead = false;
				this.headBytes = 0;
			}
			if (each instanceof LastHttpContent) {
				this.inHead = true;
				this.last = 0;
			}
		}
		return !parts.isEmpty() || in.readerIndex() > begin;
	}

	/** Finds a line that continues the one before (RFC 9112, section 5.2). */
	private void findFold(ByteBuf in, int begin) {
		for (int i = begin; i < in.readerIndex(); i++) {
			int next = in.getByte(i);
			this.isFolded |= this.last == '\n' && (next == ' ' || next == '\t');
			this.last = next;
		}
	}

	/** Returns true if a head was folded, which two servers may read differently. */
	boolean isFolded() {
		return this.isFolded;
	}

	/** Returns the bytes of the head that is incomplete. */
	int headBytes() {
		return this.headBytes;
	}

}
