package io.rpcboot.internal.client.connection.http2;

import io.rpcboot.internal.protocol.grpc.ContractField;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.grpc.GrpcStatus;
import io.rpcboot.internal.protocol.http2.HeaderResolver;
import org.jspecify.annotations.Nullable;

/** Resolves the header fields of responses. Thread-safe. */
final class ResponseHeaderResolver implements HeaderResolver {

	static final ResponseHeaderResolver INSTANCE = new ResponseHeaderResolver();

	static final int HTTP_STATUS = 1;

	static final int STATUS = 2;

	static final int MESSAGE = 3;

	static final int DETAILS = 4;

	static final int EXECUTED = 5;

	static final int ENCODING = 6;

	static final int CONTENT_LENGTH = 7;

	static final int CONTENT_TYPE = 8;

	static final int RPC_STATUS = 9;

	static final int EXCEPTION = 10;

	static final int CONTRACT = 11;

	/** Field that is no attachment. */
	static final int RESERVED = 12;

	private ResponseHeaderResolver() {
	}

	@Override
	public int kindOf(String name) {
		return switch (name) {
			case ":status" -> HTTP_STATUS;
			case "grpc-status" -> STATUS;
			case "grpc-message" -> MESSAGE;
			case "grpc-status-details-bin" -> DETAILS;
			case "rpc-executed" -> EXECUTED;
			case "rpc-status" -> RPC_STATUS;
			case "rpc-exception" -> EXCEPTION;
			case ContractField.NAME -> CONTRACT;
			case "grpc-encoding" -> ENCODING;
			case "content-length" -> CONTENT_LENGTH;
			case "content-type" -> CONTENT_TYPE;
			default -> GrpcMetadata.isAttachment(name) ? OTHER : RESERVED;
		};
	}

	@Override
	public @Nullable Object resolve(int kind, String value) {
		return switch (kind) {
			case HTTP_STATUS, CONTENT_LENGTH, RPC_STATUS -> number(value);
			case STATUS -> GrpcStatus.parse(value);
			case CONTENT_TYPE -> value.startsWith("application/grpc");
			default -> null;
		};
	}

	private static @Nullable Integer number(String value) {
		try {
			return Integer.valueOf(value);
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
