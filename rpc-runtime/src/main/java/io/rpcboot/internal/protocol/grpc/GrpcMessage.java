package io.rpcboot.internal.protocol.grpc;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Value of {@code grpc-message}: UTF-8 whose bytes are percent-encoded, except printable
 * ASCII. Blanks at the ends are encoded, too, because HTTP/2 allows none.
 */
public final class GrpcMessage {

	/** Largest length of an encoded message. */
	static final int MAX_LENGTH = 4096;

	private static final HexFormat ENCODED = HexFormat.of().withUpperCase().withPrefix("%");

	private GrpcMessage() {
	}

	/**
	 * Encodes a message.
	 * @return ASCII; the first characters of the message if it takes more than
	 * {@value #MAX_LENGTH} bytes
	 */
	public static String encode(String message) {
		int last = message.length() - 1;
		StringBuilder encoded = new StringBuilder(Math.min(message.length(), MAX_LENGTH));
		for (int i = 0; i <= last;) {
			int each = message.codePointAt(i);
			boolean isPlain = each >= ' ' && each <= '~' && each != '%' && (each != ' ' || (i > 0 && i < last));
			String text = Character.toString(each);
			String piece = isPlain ? text : ENCODED.formatHex(text.getBytes(StandardCharsets.UTF_8));
			if (encoded.length() + piece.length() > MAX_LENGTH) {
				return encoded.toString().stripTrailing();
			}
			encoded.append(piece);
			i += text.length();
		}
		return encoded.toString();
	}

	/**
	 * Decodes a message. A percent sign without two digits stands for itself; bytes that
	 * are not UTF-8 become the replacement character.
	 * @param value value of the field, one char for each byte
	 */
	public static String decode(String value) {
		byte[] utf8 = new byte[value.length()];
		int length = 0;
		for (int i = 0; i < value.length(); i++) {
			boolean isEncoded = value.charAt(i) == '%' && i + 2 < value.length()
					&& HexFormat.isHexDigit(value.charAt(i + 1)) && HexFormat.isHexDigit(value.charAt(i + 2));
			utf8[length++] = (byte) (isEncoded ? HexFormat.fromHexDigits(value, i + 1, i + 3) : value.charAt(i));
			i += isEncoded ? 2 : 0;
		}
		return new String(utf8, 0, length, StandardCharsets.UTF_8);
	}

}
