package io.rpcboot.internal.protocol.http2;

/**
 * Roles of header fields in requests and responses (RFC 9113, sections 8.2 and 8.3), as
 * bits for a {@link HeaderValidator}.
 */
final class HeaderRole {

	static final int METHOD = 1;

	static final int SCHEME = 2;

	static final int AUTHORITY = 4;

	static final int PATH = 8;

	static final int STATUS = 16;

	/** All pseudo-header fields. */
	static final int PSEUDO = METHOD | SCHEME | AUTHORITY | PATH | STATUS;

	static final int REGULAR = 32;

	/** Field that no message may have. */
	static final int MALFORMED = 64;

	/** {@code :method} with the value CONNECT. */
	static final int CONNECT = 128;

	/** {@code te}, which may only have the value {@code trailers}. */
	private static final int TE = 256;

	private static final int STATUS_DIGITS = 3;

	private HeaderRole() {
	}

	static int ofName(String name) {
		return switch (name) {
			case ":method" -> METHOD;
			case ":scheme" -> SCHEME;
			case ":authority" -> AUTHORITY;
			case ":path" -> PATH;
			case ":status" -> STATUS;
			case "te" -> REGULAR | TE;
			case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" -> MALFORMED;
			default -> isValidName(name) ? REGULAR : MALFORMED;
		};
	}

	private static boolean isValidName(String name) {
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			if (c <= ' ' || c >= 0x7f || c == ':' || (c >= 'A' && c <= 'Z')) {
				return false;
			}
		}
		return !name.isEmpty();
	}

	/**
	 * Returns the role of a field.
	 * @param role role of its name
	 * @param value its value
	 */
	static int ofField(int role, String value) {
		boolean valid = switch (role) {
			case METHOD, SCHEME -> !value.isEmpty();
			case PATH -> value.startsWith("/") || value.equals("*");
			case STATUS -> value.length() == STATUS_DIGITS && value.chars().allMatch((c) -> c >= '0' && c <= '9');
			case REGULAR | TE -> value.equals("trailers");
			default -> true;
		};
		if (!valid || !isValidValue(value)) {
			return MALFORMED;
		}
		return (role == METHOD && value.equals("CONNECT")) ? METHOD | CONNECT : role;
	}

	/**
	 * Blanks at the ends are accepted although RFC 9113 forbids them, because clients of
	 * gRPC send them in {@code grpc-message}.
	 */
	private static boolean isValidValue(String value) {
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			if (c == 0 || c == '\r' || c == '\n') {
				return false;
			}
		}
		return true;
	}

}
