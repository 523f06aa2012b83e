package io.rpcboot.internal.server.connection.http2;

import java.util.function.LongSupplier;

import io.rpcboot.internal.protocol.connect.ConnectTimeout;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.ContractField;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.grpc.GrpcTimeout;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.http2.HeaderResolver;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the header fields of requests: paths to methods, timeouts to nanoseconds.
 * Thread-safe.
 */
public final class RequestHeaderResolver implements HeaderResolver {

	static final int METHOD = 1;

	static final int PATH = 2;

	static final int CONTENT_TYPE = 3;

	static final int TIMEOUT = 4;

	static final int ENCODING = 5;

	static final int CONTENT_LENGTH = 6;

	static final int VERSION = 7;

	static final int GROUP = 8;

	static final int USER_AGENT = 9;

	static final int AUTHORITY = 10;

	static final int ACCEPT_ENCODING = 11;

	static final int CONNECT_TIMEOUT = 12;

	static final int CONNECT_VERSION = 13;

	static final int CONTENT_ENCODING = 14;

	/** {@code accept-encoding}, for a response that is not of gRPC. */
	static final int ACCEPT_CONTENT = 15;

	static final int ORIGIN = 16;

	static final int ASKED_METHOD = 17;

	static final int ASKED_HEADERS = 18;

	static final int CONTRACT = 19;

	/** Field that is no attachment. */
	static final int RESERVED = 20;

	private final GrpcMethods methods;

	/** Creates a resolver of the paths of methods. */
	public RequestHeaderResolver(GrpcMethods methods) {
		this.methods = methods;
	}

	@Override
	public int kindOf(String name) {
		return switch (name) {
			case ":method" -> METHOD;
			case ":path" -> PATH;
			case ":authority" -> AUTHORITY;
			case "content-type" -> CONTENT_TYPE;
			case "grpc-timeout" -> TIMEOUT;
			case "grpc-encoding", "connect-content-encoding" -> ENCODING;
			case "grpc-accept-encoding", "connect-accept-encoding" -> ACCEPT_ENCODING;
			case "accept-encoding" -> ACCEPT_CONTENT;
			case "content-length" -> CONTENT_LENGTH;
			case "content-encoding" -> CONTENT_ENCODING;
			case "connect-timeout-ms" -> CONNECT_TIMEOUT;
			case "connect-protocol-version" -> CONNECT_VERSION;
			case "origin" -> ORIGIN;
			case "access-control-request-method" -> ASKED_METHOD;
			case "access-control-request-headers" -> ASKED_HEADERS;
			case "rpc-version" -> VERSION;
			case "rpc-group" -> GROUP;
			case ContractField.NAME -> CONTRACT;
			case "user-agent" -> USER_AGENT;
			default -> GrpcMetadata.isAttachment(name) ? OTHER : RESERVED;
		};
	}

	@Override
	public @Nullable Object resolve(int kind, String value) {
		return switch (kind) {
			case METHOD -> value.equals("POST");
			case PATH -> this.methods.find(value);
			case CONTENT_TYPE -> ContentType.of(value);
			case TIMEOUT -> timeout(() -> GrpcTimeout.parse(value));
			case CONNECT_TIMEOUT -> timeout(() -> ConnectTimeout.parse(value));
			case ACCEPT_ENCODING, ACCEPT_CONTENT -> Gzip.isAccepted(value);
			case CONTENT_LENGTH -> length(value);
			default -> null;
		};
	}

	/** Returns nanoseconds, or the exception that tells why there are none. */
	private static Object timeout(LongSupplier parser) {
		try {
			return parser.getAsLong();
		}
		catch (GrpcException ex) {
			return ex;
		}
	}

	/** Returns null for what is no length. */
	private static @Nullable Long length(String value) {
		try {
			long length = Long.parseLong(value);
			return (length >= 0) ? length : null;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
