package io.rpcboot.internal.protocol.connect;

import java.util.Locale;

/** Format of the body of a request, by its {@code content-type}. */
public enum ContentType {

	/** Messages of gRPC with protobuf. */
	GRPC("application/grpc"),

	/** One message of Connect in JSON. */
	JSON("application/json"),

	/** One message of Connect in protobuf. */
	PROTOBUF("application/proto"),

	/** Messages of a stream of Connect in JSON. */
	JSON_STREAM("application/connect+json"),

	/** Messages of a stream of Connect in protobuf. */
	PROTOBUF_STREAM("application/connect+proto"),

	/** Messages of gRPC-Web with protobuf. */
	GRPC_WEB("application/grpc-web+proto"),

	/** The same in Base64. */
	GRPC_WEB_TEXT("application/grpc-web-text+proto"),

	/** Any other, or none. */
	OTHER("");

	private final String text;

	ContentType(String text) {
		this.text = text;
	}

	/** Returns the value of the header field. */
	public String text() {
		return this.text;
	}

	/** Returns true for messages of Connect. */
	public boolean isConnect() {
		return isUnary() || isConnectStream();
	}

	/** Returns true for messages in JSON. */
	public boolean isJson() {
		return this == JSON || this == JSON_STREAM;
	}

	/** Returns true for messages of a stream of Connect, with prefixes as in gRPC. */
	public boolean isConnectStream() {
		return this == JSON_STREAM || this == PROTOBUF_STREAM;
	}

	/** Returns true for messages of gRPC-Web. */
	public boolean isWeb() {
		return this == GRPC_WEB || this == GRPC_WEB_TEXT;
	}

	/** Returns true if the body of a response has what gRPC has in trailers. */
	public boolean endsInBody() {
		return isConnectStream() || isWeb();
	}

	/** Returns true for the body of one message, without a prefix. */
	public boolean isUnary() {
		return this == JSON || this == PROTOBUF;
	}

	/**
	 * Returns the format that a header field names. JSON is UTF-8: another charset makes
	 * it another format.
	 */
	public static ContentType of(String value) {
		int end = value.indexOf(';');
		String type = ((end < 0) ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
		String parameters = (end < 0) ? "" : value.substring(end + 1).replace("\"", "").toLowerCase(Locale.ROOT);
		return switch (type) {
			case "application/grpc", "application/grpc+proto" -> GRPC;
			case "application/grpc-web", "application/grpc-web+proto" -> GRPC_WEB;
			case "application/grpc-web-text", "application/grpc-web-text+proto" -> GRPC_WEB_TEXT;
			case "application/json" -> isUtf8(parameters) ? JSON : OTHER;
			case "application/proto" -> PROTOBUF;
			case "application/connect+json" -> JSON_STREAM;
			case "application/connect+proto" -> PROTOBUF_STREAM;
			default -> OTHER;
		};
	}

	private static boolean isUtf8(String parameters) {
		for (String each : parameters.split(";")) {
			String parameter = each.strip();
			if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")
					&& !parameter.equals("charset=us-ascii")) {
				return false;
			}
		}
		return true;
	}

}
