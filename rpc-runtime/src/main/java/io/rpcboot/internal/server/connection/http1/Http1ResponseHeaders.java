package io.rpcboot.internal.server.connection.http1;

import java.util.Collection;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rpcboot.internal.server.connection.http2.ResponseHeaders;

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
		ByteBufUtil.writeAscii(out, "HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\n");
		field(out, "content-type", contentType);
		field(out, "content-length", String.valueOf(length));
		fields.forEach((each) -> field(out, each.getKey(), each.getValue()));
		if (!this.writer.listener().persists()) {
			field(out, "connection", "close");
		}
		ByteBufUtil.writeAscii(out, "\r\n");
		if (length == 0) {
			this.writer.listener().onBody(0, true);
		}
	}

	/** Values are printable ASCII: attachments are encoded so. */
	private static void field(ByteBuf out, String name, String value) {
		ByteBufUtil.writeAscii(out, name);
		out.writeByte(':').writeByte(' ');
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			out.writeByte((c >= ' ' && c <= '~') ? c : '?');
		}
		out.writeByte('\r').writeByte('\n');
	}

}
