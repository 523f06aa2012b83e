package io.rpcboot.internal.protocol.connect;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.protocol.grpc.StatusDetails;
import org.jspecify.annotations.Nullable;

/**
 * Error of Connect: the body of a response that is not 200.
 *
 * @param status status of the call, not OK
 * @param message text for the caller, empty for none
 * @param details messages of {@code google.protobuf.Any}
 */
public record ConnectError(RpcStatus status, String message, List<byte[]> details) {

	private static final int CLIENT_CLOSED_REQUEST = 499;

	/** Begin of an error in JSON. */
	private static final String BEGIN = "{\"code\":\"";

	/** Flag of the prefix of the last message of a stream. */
	private static final byte END_OF_STREAM = 2;

	/** Returns the name of a status. */
	public static String code(RpcStatus status) {
		return switch (status) {
			case CANCELLED -> "canceled";
			case APPLICATION, DECLARED -> code(RpcStatus.UNKNOWN);
			default -> status.name().toLowerCase(Locale.ROOT);
		};
	}

	/** Returns the status of HTTP that stands for a status. */
	public static int httpStatus(RpcStatus status) {
		return switch (status) {
			case OK -> 200;
			case CANCELLED -> CLIENT_CLOSED_REQUEST;
			case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
			case UNAUTHENTICATED -> 401;
			case PERMISSION_DENIED -> 403;
			case NOT_FOUND -> 404;
			case ALREADY_EXISTS, ABORTED -> 409;
			case RESOURCE_EXHAUSTED -> 429;
			case UNIMPLEMENTED -> 501;
			case UNAVAILABLE -> 503;
			case DEADLINE_EXCEEDED -> 504;
			default -> 500;
		};
	}

	/** Returns the error in JSON. */
	public byte[] toJson() {
		StringBuilder json = new StringBuilder();
		write(json);
		return json.toString().getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Returns the last message of a stream, with its prefix.
	 * @param error null for a success
	 * @param metadata fields that gRPC sends in trailers
	 */
	public static byte[] endOfStream(@Nullable ConnectError error, Collection<Map.Entry<String, String>> metadata) {
		StringBuilder json = new StringBuilder("{");
		if (error != null) {
			error.write(json.append("\"error\":"));
		}
		String separator = (error != null) ? ",\"metadata\":{" : "\"metadata\":{";
		for (Map.Entry<String, String> each : metadata) {
			quote(json.append(separator), each.getKey());
			quote(json.append(":["), each.getValue());
			json.append(']');
			separator = ",";
		}
		byte[] message = json.append(separator.equals(",") ? "}}" : "}").toString().getBytes(StandardCharsets.UTF_8);
		return ByteBuffer.allocate(MessagePrefix.LENGTH + message.length)
			.put(END_OF_STREAM)
			.putInt(message.length)
			.put(message)
			.array();
	}

	/** Returns the status of an error that {@link #toJson} has made. */
	public static RpcStatus statusOf(String json) {
		int end = json.indexOf('"', BEGIN.length());
		String code = json.startsWith(BEGIN) ? json.substring(BEGIN.length(), end) : "";
		return Stream.of(RpcStatus.values())
			.filter((each) -> code(each).equals(code))
			.findFirst()
			.orElse(RpcStatus.UNKNOWN);
	}

	private void write(StringBuilder json) {
		json.append(BEGIN).append(code(this.status)).append('"');
		if (!this.message.isEmpty()) {
			json.append(",\"message\":");
			quote(json, this.message);
		}
		String separator = ",\"details\":[";
		for (byte[] each : this.details) {
			try {
				byte[] value = StatusDetails.valueOf(each);
				json.append(separator).append("{\"type\":");
				quote(json, StatusDetails.typeOf(each));
				json.append(",\"value\":\"")
					.append(Base64.getEncoder().withoutPadding().encodeToString(value))
					.append("\"}");
				separator = ",";
			}
			catch (GrpcException ex) {
				// the status tells enough
			}
		}
		json.append(separator.equals(",") ? "]}" : "}");
	}

	/** Appends a text of JSON. A lone surrogate is escaped: UTF-8 has no bytes for it. */
	private static void quote(StringBuilder json, String text) {
		json.append('"');
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c < ' ' || c == '"' || c == '\\' || c == 0x7f || Character.isSurrogate(c) || c == '\u2028'
					|| c == '\u2029') {
				json.append("\\u%04x".formatted((int) c));
			}
			else {
				json.append(c);
			}
		}
		json.append('"');
	}

}
