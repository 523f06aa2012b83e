package io.rpcboot.internal.transport.http1;

import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Netty's decoder of requests, outside of a pipeline: bytes are given to it, and parts of
 * a request come back. Looks at the bytes of heads itself where the decoder is lenient.
 * Event loop only.
 */
final class Http1Decoder extends HttpRequestDecoder {

	/** Longest request line, in bytes: that of Netty, of Tomcat and of most proxies. */
	private static final int MAX_LINE = 8192;

	/** Longest part of a body that comes back, in bytes. */
	private static final int MAX_PART = 8192;

	/** Memory of a header field beside its bytes: an entry and two texts. */
	private static final int FIELD = 160;

	private final ChannelHandlerContext context;

	/** Bytes of the head that is incomplete. */
	private int headBytes;

	/** Lines of that head. */
	private int headLines;

	/** True while a head, or nothing, is being read. */
	private boolean inHead = true;

	/** Last byte of the head that was read. */
	private int last;

	/** Blanks of the request line. */
	private int blanks;

	/** Fault that the decoder does not see, empty for none. */
	private String fault = "";

	/** True while the body is in chunks and the last one has not come. */
	private boolean inChunks;

	/** Bytes of the chunk that are not read, with its size and its end; 0 between two. */
	private long chunkBytes;

	/**
	 * Creates a decoder.
	 * @param maxHeaderSize longest header section, in bytes
	 */
	Http1Decoder(ChannelHandlerContext context, int maxHeaderSize) {
		super(new HttpDecoderConfig().setMaxInitialLineLength(MAX_LINE)
			.setMaxHeaderSize(maxHeaderSize)
			.setMaxChunkSize(MAX_PART)
			.setStrictLineParsing(true)
			.setTrailersFactory(new NoTrailers())
			.setUseRfc9112TransferEncoding(true));
		this.context = context;
	}

	/** Forgets trailers, which calls do not have. */
	private static final class NoTrailers extends DefaultHttpHeaders implements HttpHeadersFactory {

		@Override
		public HttpHeaders newHeaders() {
			return this;
		}

		@Override
		public HttpHeaders newEmptyHeaders() {
			return this;
		}

		@Override
		public HttpHeaders add(CharSequence name, Object value) {
			return this;
		}

		@Override
		public HttpHeaders add(String name, Object value) {
			return this;
		}

	}

	/**
	 * Reads the next part of a request.
	 * @param in bytes, of which some are read
	 * @param parts receives the parts, which the caller releases
	 * @return false if more bytes are needed
	 */
	boolean next(ByteBuf in, List<Object> parts) throws Exception {
		int begin = in.readerIndex();
		if (this.inChunks && this.chunkBytes == 0) {
			lookAtSize(in);
		}
		decode(this.context, in, parts);
		this.chunkBytes = Math.max(0, this.chunkBytes - (in.readerIndex() - begin));
		if (this.inHead) {
			look(in, begin);
		}
		for (Object each : parts) {
			if (each instanceof HttpRequest request) {
				this.inHead = false;
				this.inChunks = HttpUtil.isTransferEncodingChunked(request);
				this.chunkBytes = 0;
			}
			if (each instanceof LastHttpContent) {
				this.inHead = true;
			}
		}
		return !parts.isEmpty() || in.readerIndex() > begin;
	}

	/** Looks at bytes of a head; empty lines before it are none. */
	private void look(ByteBuf in, int begin) {
		for (int i = begin; i < in.readerIndex(); i++) {
			int next = in.getByte(i);
			if (this.headBytes == 0 && (next == '\r' || next == '\n')) {
				continue;
			}
			this.headBytes++;
			if (this.headLines == 0) {
				lookAtRequestLine(next);
			}
			else if (this.last == '\n' && (next == ' ' || next == '\t')) {
				this.fault = "a header field of several lines";
			}
			this.headLines += (next == '\n') ? 1 : 0;
			this.last = next;
		}
	}

	/**
	 * Looks at the line with the size of a chunk, once it is whole: digits, then its end
	 * or an extension (RFC 9112, section 7.1).
	 */
	private void lookAtSize(ByteBuf in) {
		int begin = in.readerIndex();
		int length = in.bytesBefore((byte) '\n');
		if (length < 0) {
			return;
		}
		long size = 0;
		int at = begin;
		while (Character.digit(in.getByte(at), 16) >= 0 && size <= Integer.MAX_VALUE) {
			size = 16 * size + Character.digit(in.getByte(at), 16);
			at++;
		}
		if (at == begin || (in.getByte(at) != '\r' && in.getByte(at) != ';')) {
			this.fault = "a size of a chunk that is not digits alone";
		}
		this.inChunks = size > 0;
		this.chunkBytes = length + 1 + size + 2;
	}

	/** Finds other blanks than two, and control characters (RFC 9112, section 3). */
	private void lookAtRequestLine(int next) {
		this.blanks += (next == ' ') ? 1 : 0;
		boolean isEnd = next == '\n' || (next == '\r' && this.last != '\r');
		if ((!isEnd && (next < ' ' || next == 0x7f)) || (next != '\n' && this.last == '\r')
				|| (next == '\n' && this.blanks != 2)) {
			this.fault = "a request line that is not a method, a path and a version with one blank between them";
		}
	}

	/** Returns true if a size of a chunk is malformed. */
	boolean isChunkMalformed() {
		return !this.inHead && !this.fault.isEmpty();
	}

	/**
	 * Returns a fault of the head that has come back, empty for none, and begins the next
	 * head.
	 */
	String takeFault() {
		String found = this.fault;
		this.fault = "";
		this.headBytes = 0;
		this.headLines = 0;
		this.blanks = 0;
		this.last = 0;
		return found;
	}

	/** Returns the size of the head as HTTP/2 counts it, in bytes. */
	int headSize() {
		return this.headBytes + 32 * this.headLines;
	}

	/**
	 * Returns the memory of the head that is incomplete, in bytes; 0 between requests.
	 */
	int headMemory() {
		return this.inHead ? this.headBytes + FIELD * this.headLines : 0;
	}

}
