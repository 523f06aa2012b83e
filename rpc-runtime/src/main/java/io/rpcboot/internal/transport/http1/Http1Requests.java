package io.rpcboot.internal.transport.http1;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HeaderResolver;
import io.rpcboot.internal.protocol.http2.HeaderValidator;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.http2.Http2Handler;
import org.jspecify.annotations.Nullable;

/**
 * Heads of requests of HTTP/1.1 as header blocks. Stricter than the decoder: what two
 * servers in a row may read differently is refused (RFC 9112, sections 6 and 11). Event
 * loop only.
 */
final class Http1Requests {

	/** Whole address: its host and port, then path and query. */
	private static final Pattern WHOLE = Pattern.compile("(?i:https?)://([^/?#]+)((?:[/?][^#]*)?)");

	/** Tells the client to send its body. */
	static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	/** Fields of one connection, which no stream has. */
	private static final Set<String> OF_CONNECTION = Set.of("connection", "expect", "host", "http2-settings",
			"keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");

	private final Http2Handler.Listener frames;

	private final HeaderResolver resolver;

	private final Connection connection;

	private final HeaderValidator validator = new HeaderValidator();

	Http1Requests(Http2Handler.Listener frames, HeaderResolver resolver, Connection connection) {
		this.frames = frames;
		this.resolver = resolver;
		this.connection = connection;
	}

	/** Returns why a request is refused that the decoder has read, null if it is not. */
	static @Nullable String problem(HttpRequest request) {
		HttpHeaders headers = request.headers();
		List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
		if (!codings.isEmpty() && (codings.size() > 1 || !codings.get(0).strip().equalsIgnoreCase("chunked"))) {
			return "transfer-encoding (expected: chunked, once)";
		}
		if (headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() > 1) {
			return "several content-length (expected: one)";
		}
		if (headers.contains(HttpHeaderNames.SEC_WEBSOCKET_KEY1)) {
			return "a field of an old WebSocket, by which some servers find a body";
		}
		int hosts = headers.getAll(HttpHeaderNames.HOST).size();
		if (hosts > 1 || (hosts == 0 && isVersion11(request))) {
			return "%d header fields host (expected: one)".formatted(hosts);
		}
		if (!isVersion11(request) && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
			return "a version of HTTP that is not 1.1 or 1.0";
		}
		String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "").toLowerCase(Locale.ROOT);
		if (!isVersion11(request)
				&& (type.startsWith("application/connect+") || type.startsWith("application/grpc-web"))) {
			return "a stream over HTTP/1.0 (expected: HTTP/1.1)";
		}
		return path(request.uri()).startsWith("/") || request.uri().equals("*") ? null
				: "a request target that is no path";
	}

	private static boolean isVersion11(HttpRequest request) {
		return request.protocolVersion().equals(HttpVersion.HTTP_1_1);
	}

	/** Returns true if another request may follow. One of HTTP/1.0 is the only one. */
	static boolean isPersistent(HttpRequest request) {
		return isVersion11(request) && HttpUtil.isKeepAlive(request);
	}

	static boolean hasBody(HttpRequest request) {
		return HttpUtil.isTransferEncodingChunked(request) || request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
				&& HttpUtil.getContentLength(request, 0L) > 0;
	}

	static boolean expectsContinue(HttpRequest request) {
		return HttpUtil.is100ContinueExpected(request);
	}

	/** Returns the path of a request target, which may be a whole address. */
	private static String path(String target) {
		Matcher whole = WHOLE.matcher(target);
		if (!whole.matches()) {
			return target;
		}
		String path = whole.group(2);
		return path.startsWith("/") ? path : "/" + path;
	}

	/**
	 * Returns host and port of a request target that is a whole address, else nothing.
	 */
	private static String authority(String target) {
		Matcher whole = WHOLE.matcher(target);
		return whole.matches() ? whole.group(1) : "";
	}

	/**
	 * Begins the stream of a request.
	 * @param hasEnded true if no body follows
	 */
	void begin(int streamId, HttpRequest request, boolean hasEnded) {
		this.validator.begin();
		this.frames.onHeadersBegin(streamId);
		String host = request.headers().get(HttpHeaderNames.HOST);
		add(":method", request.method().name());
		add(":scheme", this.connection.isEncrypted() ? "https" : "http");
		add(":path", path(request.uri()));
		String authority = authority(request.uri());
		if (!authority.isEmpty() || host != null) {
			add(":authority", authority.isEmpty() ? host : authority);
		}
		for (Map.Entry<String, String> each : request.headers()) {
			String name = each.getKey().toLowerCase(Locale.ROOT);
			if (!OF_CONNECTION.contains(name)) {
				add(name, each.getValue());
			}
		}
		this.frames.onHeadersEnd(streamId, hasEnded, false, this.validator);
	}

	private void add(String name, String value) {
		HeaderField field = HeaderField.of(this.resolver, name, value);
		this.validator.accept(field);
		this.frames.onHeader(field);
	}

}
