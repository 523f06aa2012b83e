package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.connect.GetQuery;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.server.access.CorsPolicy;
import io.rpcboot.internal.server.grpc.GrpcMethod;
import io.rpcboot.internal.server.grpc.HostedCall;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.security.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Header fields of the request whose block is being read, as far as gRPC and Connect know
 * them. One object for all requests of a connection. Event loop only.
 */
public class RequestHeaders {

	/** Value of {@link #contentLength()} if it is malformed: no body has this length. */
	private static final long MALFORMED = Long.MAX_VALUE;

	private long gapNanos;

	private boolean isPost;

	/** Value of {@code :method}, empty without one. */
	private String verb = "";

	private ContentType contentType = ContentType.OTHER;

	private String path = "";

	/** Query of a request by GET, null for others. */
	private @Nullable GetQuery query;

	private String authority = "";

	/** Method of the path, null if it is not offered. */
	@Nullable GrpcMethod method;

	/** Nanoseconds of {@code grpc-timeout}, or why there are none; null without one. */
	private @Nullable Object timeout;

	/** The same of {@code connect-timeout-ms}. */
	private @Nullable Object connectTimeout;

	private @Nullable String encoding;

	private @Nullable String contentEncoding;

	private @Nullable String connectVersion;

	private CorsPolicy.Asked asked = CorsPolicy.Asked.NOTHING;

	private boolean acceptsGzip;

	private boolean acceptsGzipContent;

	private long contentLength = -1;

	/** Version of the service, null if the client names none. */
	@Nullable String version;

	/** Group of the service, null if the client names none. */
	@Nullable String group;

	/** Hashes of the contracts of the client, null if it tells none. */
	@Nullable String contract;

	private String userAgent = "";

	/** Credentials of the call, null without any. */
	private @Nullable String credentials;

	/** Fields that are attachments. */
	private List<HeaderField> metadata = List.of();

	/** Memory of the fields that are kept. */
	private int keptBytes;

	/** Other fields of a hosted call, which its service may read. */
	private List<HeaderField> reserved = List.of();

	/**
	 * Header fields of a request that is passed on.
	 *
	 * @param type format of the body
	 * @param path the path without a query
	 * @param version version of the service, null for none
	 * @param group group of the service, null for none
	 * @param allowedNanos time that is left, {@link Long#MAX_VALUE} without a timeout
	 * @param fields all fields as they arrived, pseudo-header fields among them
	 * @param asked fields of a browser
	 */
	public record Head(ContentType type, String path, @Nullable String version, @Nullable String group,
			long allowedNanos, List<HeaderField> fields, CorsPolicy.Asked asked) {
	}

	/**
	 * Returns what is passed on.
	 * @param all all fields as they arrived
	 */
	Head head(List<HeaderField> all) {
		return new Head(this.contentType, this.path, this.version, this.group, allowedNanos(), all, this.asked);
	}

	/** Returns the fields of a request that is answered with a failure. */
	static RequestHeaders refused(Head head) {
		RequestHeaders refused = new RequestHeaders();
		refused.isPost = true;
		refused.contentType = head.type();
		refused.path = head.path();
		refused.asked = head.asked();
		return refused;
	}

	/**
	 * Begins a block, after {@link #clear}.
	 * @param gap time for which it could not be read, in nanoseconds
	 */
	void begin(long gap) {
		this.gapNanos = gap;
	}

	/** Forgets all fields but the user agent. */
	void clear() {
		this.isPost = false;
		this.verb = "";
		this.contentType = ContentType.OTHER;
		this.path = "";
		this.authority = "";
		this.method = null;
		this.timeout = null;
		this.connectTimeout = null;
		this.encoding = null;
		this.contentEncoding = null;
		this.connectVersion = null;
		this.asked = CorsPolicy.Asked.NOTHING;
		this.acceptsGzip = false;
		this.acceptsGzipContent = false;
		this.contentLength = -1;
		this.version = null;
		this.group = null;
		this.contract = null;
		this.credentials = null;
		this.metadata = List.of();
		this.keptBytes = 0;
		this.reserved = List.of();
	}

	void accept(HeaderField field) {
		Object resolved = field.resolved();
		switch (field.kind()) {
			case RequestHeaderResolver.METHOD -> {
				this.isPost = resolved == Boolean.TRUE;
				this.verb = field.value();
			}
			case RequestHeaderResolver.PATH -> {
				this.path = field.value();
				this.method = (GrpcMethod) resolved;
			}
			case RequestHeaderResolver.CONTENT_TYPE ->
				this.contentType = (resolved != null) ? (ContentType) resolved : ContentType.OTHER;
			case RequestHeaderResolver.TIMEOUT -> this.timeout = resolved;
			case RequestHeaderResolver.CONNECT_TIMEOUT -> this.connectTimeout = resolved;
			case RequestHeaderResolver.CONNECT_VERSION -> this.connectVersion = field.value();
			case RequestHeaderResolver.ORIGIN -> {
				this.asked = new CorsPolicy.Asked(field.value(), this.asked.method(), this.asked.headers());
				metadata(field);
			}
			case RequestHeaderResolver.ASKED_METHOD ->
				this.asked = new CorsPolicy.Asked(this.asked.origin(), field.value(), this.asked.headers());
			case RequestHeaderResolver.ASKED_HEADERS ->
				this.asked = new CorsPolicy.Asked(this.asked.origin(), this.asked.method(), field.value());
			case RequestHeaderResolver.CONTENT_ENCODING -> this.contentEncoding = field.value();
			case RequestHeaderResolver.ENCODING -> this.encoding = field.value();
			case RequestHeaderResolver.ACCEPT_ENCODING -> {
				this.acceptsGzip = resolved == Boolean.TRUE;
				reserved(field);
			}
			case RequestHeaderResolver.ACCEPT_CONTENT -> {
				this.acceptsGzipContent = resolved == Boolean.TRUE;
				reserved(field);
			}
			case RequestHeaderResolver.CONTENT_LENGTH ->
				this.contentLength = (resolved != null) ? (Long) resolved : MALFORMED;
			case RequestHeaderResolver.VERSION -> this.version = field.value();
			case RequestHeaderResolver.GROUP -> this.group = field.value();
			case RequestHeaderResolver.CONTRACT -> this.contract = field.value();
			case RequestHeaderResolver.USER_AGENT -> {
				this.userAgent = field.value();
				reserved(field);
			}
			case RequestHeaderResolver.AUTHORITY -> this.authority = field.value();
			case RequestHeaderResolver.RESERVED -> reserved(field);
			default -> metadata(field);
		}
	}

	private void reserved(HeaderField field) {
		if (this.method != null && this.method.isHosted() && field.name().charAt(0) != ':') {
			this.reserved = this.reserved.isEmpty() ? new ArrayList<>() : this.reserved;
			this.reserved.add(field);
			this.keptBytes += field.memory();
		}
	}

	/** Returns the timeout of the protocol of the request; others do not count. */
	private @Nullable Object timeout() {
		return this.contentType.isConnect() ? this.connectTimeout : this.timeout;
	}

	private void metadata(HeaderField field) {
		if (field.name().equals(Credentials.ATTACHMENT)) {
			this.credentials = field.value();
		}
		if (this.metadata.isEmpty()) {
			this.metadata = new ArrayList<>();
		}
		this.metadata.add(field);
		this.keptBytes += field.memory();
	}

	boolean isPost() {
		return this.isPost;
	}

	/** Returns the method of HTTP, empty without one. */
	String verb() {
		return this.verb;
	}

	/**
	 * Reads the path of a request by GET, whose query has the message.
	 * @param methods finds the method of a path
	 * @return true if the query names the format of a message
	 */
	boolean readsQuery(Function<String, @Nullable GrpcMethod> methods) {
		this.query = null;
		int end = this.path.indexOf('?');
		if (end < 0 || !this.verb.equals("GET")) {
			return false;
		}
		this.query = GetQuery.parse(this.path.substring(end + 1));
		this.path = this.path.substring(0, end);
		if (this.query == null) {
			return false;
		}
		this.contentType = this.query.type();
		this.method = methods.apply(this.path);
		return true;
	}

	/** Returns the query of a request by GET, null for others. */
	@Nullable GetQuery query() {
		return this.isPost ? null : this.query;
	}

	/** Returns the format of the body. */
	ContentType contentType() {
		return this.contentType;
	}

	/** Returns the encoding of the body, null for none. */
	@Nullable String contentEncoding() {
		return this.contentEncoding;
	}

	/** Returns what a browser asks. */
	CorsPolicy.Asked asked() {
		return this.asked;
	}

	/** Returns host and port that the client asks for, empty without them. */
	String authority() {
		return this.authority;
	}

	/** Returns the version of Connect, null if the client names none. */
	@Nullable String connectVersion() {
		return this.connectVersion;
	}

	/** Returns the path, as the client sent it. */
	String path() {
		return this.path;
	}

	/**
	 * Returns the time that is left: {@link Long#MAX_VALUE} without a timeout, a negative
	 * number if it is over.
	 */
	long allowedNanos() {
		return (timeout() instanceof Long nanos && nanos < Long.MAX_VALUE) ? nanos - this.gapNanos : Long.MAX_VALUE;
	}

	/** Returns the reason why the timeout cannot be read, null if it can. */
	@Nullable GrpcException timeoutError() {
		return (timeout() instanceof GrpcException error) ? error : null;
	}

	/** Returns the encoding of messages, null for none. */
	@Nullable String encoding() {
		return this.encoding;
	}

	/** Returns true if messages may be compressed. */
	boolean isEncoded() {
		return this.encoding != null && !this.encoding.equals("identity");
	}

	/** Returns true if the client reads responses that are compressed with gzip. */
	boolean acceptsGzip() {
		return this.acceptsGzip;
	}

	/** Returns true if the client reads a body that is compressed with gzip. */
	boolean acceptsGzipContent() {
		return this.acceptsGzipContent;
	}

	/** Returns the announced length of the body in bytes, -1 if there is none. */
	long contentLength() {
		return this.contentLength;
	}

	/** Returns the user agent of the last request that had one, else an empty text. */
	String userAgent() {
		return this.userAgent;
	}

	/** Returns the credentials of the call, null without any. */
	@Nullable String credentials() {
		return this.credentials;
	}

	/**
	 * Returns the memory of the fields that are kept until the call has run, in bytes.
	 * The path is kept while credentials are checked.
	 */
	int keptBytes() {
		return (this.credentials != null) ? this.keptBytes + this.path.length() : this.keptBytes;
	}

	/** Returns the fields that are attachments. */
	List<HeaderField> metadata() {
		return this.metadata;
	}

	/**
	 * Returns the attachments in kept fields.
	 * @throws GrpcException if a binary value is not Base64
	 */
	static Attachments attachments(List<HeaderField> fields) {
		GrpcMetadata read = new GrpcMetadata();
		for (HeaderField each : fields) {
			read.add(each.name(), each.value());
		}
		return read.attachments();
	}

	/** Returns the call of a hosted method, null if the method is of an interface. */
	@Nullable HostedCall hosted(@Nullable Invocation called) {
		GrpcMethod named = this.method;
		if (called == null || named == null || !named.isHosted()) {
			return null;
		}
		List<Map.Entry<String, String>> fields = new ArrayList<>();
		this.metadata.forEach((each) -> fields.add(Map.entry(each.name(), each.value())));
		for (HeaderField each : this.reserved) {
			// a body of Connect is compressed behind the service, or not at all
			if (each.kind() != RequestHeaderResolver.ACCEPT_ENCODING || !this.contentType.isUnary()) {
				fields.add(Map.entry(each.name(), each.value()));
			}
		}
		return new HostedCall(called, this.authority, fields);
	}

}
