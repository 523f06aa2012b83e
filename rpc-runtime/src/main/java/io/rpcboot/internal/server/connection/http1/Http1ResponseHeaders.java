package io.rpcboot.internal.server.connection.http1;

import java.util.Collection;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.server.connection.http2.ResponseHeaders;
import io.rpcboot.internal.transport.http1.Http1Writer;

/** Writes the heads of responses as text. Event loop only. */
final class Http1ResponseHeaders extends ResponseHeaders {

	private final Http1Writer writer;

	Http1ResponseHeaders(Http1Writer writer) {
		super(writer);
		this.writer = writer;
	}

	@Override
	public void head(ByteBuf out, int streamId, int status, String contentType, int length,
			Collection<Map.Entry<String, String>> fields) {
		this.writer.head(out, status, contentType, length, fields);
	}

	@Override
	public void end(ByteBuf out) {
		this.writer.end(out);
	}

}
