package io.rpcboot.internal.server.connection.http2;

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
final class RequestHeaderResolver implements HeaderResolver {

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

	/** Field that is no attachment. */
	static final int RESERVED = 12;

	private final GrpcMethods methods;

	RequestHeaderResolver(GrpcMethods methods) {
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
			case "grpc-encoding" -> ENCODING;
			case "grpc-accept-encoding" -> ACCEPT_ENCODING;
			case "content-length" -> CONTENT_LENGTH;
			case "rpc-version" -> VERSION;
			case "rpc-group" -> GROUP;
			case "user-agent" -> USER_AGENT;
			default -> GrpcMetadata.isAttachment(name) ? OTHER : RESERVED;
		};
	}

	@Override
	public @Nullable Object resolve(int kind, String value) {
		return switch (kind) {
			case METHOD -> value.equals("POST");
			case PATH -> this.methods.find(value);
			case CONTENT_TYPE -> isGrpc(value);
			case TIMEOUT -> timeout(value);
			case ACCEPT_ENCODING -> Gzip.isAccepted(value);
			case CONTENT_LENGTH -> length(value);
			default -> null;
		};
	}

	private static boolean isGrpc(String type) {
		String bare = type.contains(";") ? type.substring(0, type.indexOf(';')).trim() : type;
		return bare.equals("application/grpc") || bare.equals("application/grpc+proto");
	}

	/** Returns nanoseconds, or the exception that tells why there are none. */
	private static Object timeout(String value) {
		try {
			return GrpcTimeout.parse(value);
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
