package io.rpcboot.internal.server.connection.http2;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.http2.FrameTemplate;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import io.rpcboot.internal.protocol.http2.HpackEncoder;
import io.rpcboot.internal.protocol.http2.Http2FrameWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the header blocks of responses: HEADERS, trailers, and both in one. Event loop
 * only.
 */
public class ResponseHeaders {

	private final Http2FrameWriter writer;

	private final HpackEncoder encoder;

	/** Frames of a plain success, null before the first one. */
	private @Nullable FrameTemplate success;

	/** Creates the headers of a connection. */
	public ResponseHeaders(Http2FrameWriter writer) {
		this.writer = writer;
		this.encoder = writer.encoder();
	}

	/** Returns the frames of a plain success, null if they are not valid any more. */
	@Nullable FrameTemplate success() {
		FrameTemplate template = this.success;
		return (template != null && template.generation() == this.encoder.generation()) ? template : null;
	}

	/** Returns a number that changes when the template would change. */
	int generation() {
		return this.encoder.generation();
	}

	/**
	 * Makes the template from a response that was just written.
	 * @param start index of its first frame
	 * @param generation {@link #generation()} before it was written
	 */
	void capture(ByteBuf out, int start, int generation) {
		if (this.encoder.generation() == generation) {
			this.success = FrameTemplate.capture(out, start, generation);
		}
	}

	/**
	 * Writes HEADERS of a response of gRPC.
	 * @param fields further fields
	 */
	void headers(ByteBuf out, int streamId, Collection<Map.Entry<String, String>> fields) {
		int index = this.writer.beginHeaders(out, streamId, false);
		head(out);
		fields(out, fields);
		this.writer.endHeaders(out, index);
	}

	private void head(ByteBuf out) {
		this.encoder.encode(out, ":status", "200", Indexing.FIELD);
		this.encoder.encode(out, "content-type", "application/grpc", Indexing.FIELD);
	}

	/**
	 * Writes trailers.
	 * @param trailers null for a plain success
	 * @param withHead true if no HEADERS precede them
	 */
	void trailers(ByteBuf out, int streamId, @Nullable ResponseTrailers trailers, boolean withHead) {
		int index = this.writer.beginHeaders(out, streamId, true);
		if (withHead) {
			head(out);
		}
		if (trailers == null) {
			this.encoder.encode(out, "grpc-status", "0", Indexing.FIELD);
		}
		else {
			trailers.writeTo((name, value, indexing) -> this.encoder.encode(out, name, value, indexing));
		}
		this.writer.endHeaders(out, index);
	}

	/** Writes HEADERS or trailers that another connection has received. */
	void passed(ByteBuf out, int streamId, List<HeaderField> fields, boolean endStream) {
		int index = this.writer.beginHeaders(out, streamId, endStream);
		fields.forEach((each) -> this.encoder.encode(out, each));
		this.writer.endHeaders(out, index);
	}

	/** Ends a body of unknown length behind its last DATA. */
	public void end(ByteBuf out) {
		// DATA have told it
	}

	private void fields(ByteBuf out, Collection<Map.Entry<String, String>> fields) {
		for (Map.Entry<String, String> each : fields) {
			this.encoder.encode(out, each.getKey(), each.getValue(), Indexing.NONE);
		}
	}

	/**
	 * Writes HEADERS of a response that is not of gRPC.
	 * @param status status of HTTP
	 * @param length bytes of the body, which DATA have; nothing follows if there are
	 * none; -1 for a stream, whose end tells, see {@link #end}
	 * @param fields further fields
	 */
	public void head(ByteBuf out, int streamId, int status, String contentType, int length,
			Collection<Map.Entry<String, String>> fields) {
		int index = this.writer.beginHeaders(out, streamId, length == 0);
		this.encoder.encode(out, ":status", String.valueOf(status), Indexing.FIELD);
		this.encoder.encode(out, "content-type", contentType, Indexing.FIELD);
		if (length >= 0) {
			this.encoder.encode(out, "content-length", String.valueOf(length), Indexing.NAME);
		}
		fields(out, fields);
		this.writer.endHeaders(out, index);
	}

}
