package io.rpcboot.internal.protocol.binary;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.text.PrintableText;

/**
 * Body of a RESPONSE frame whose status is not OK and that carries no declared exception.
 *
 * <pre>
 * +----------------+--------------------+
 * | message, text  | type thrown, text  |
 * +----------------+--------------------+
 * </pre>
 *
 * @param message description of the failure
 * @param type class name of the exception that the implementation threw, empty if none or
 * if the peer's text is no class name; text only, never looked up as a class
 */
public record Failure(String message, String type) {

	/** Maximum length of a class name, in characters of at most three bytes. */
	private static final int MAX_TYPE = 100;

	private static final int MAX_MESSAGE = 4000;

	/**
	 * Creates a failure whose texts are cut to fit a frame.
	 * @param message description of the failure
	 * @param type class name of the exception that the implementation threw, empty if
	 * none
	 * @param maxBody largest body that the peer accepts, in bytes
	 * @return the failure
	 */
	public static Failure fitting(String message, String type, int maxBody) {
		int chars = Math.max(0, Math.min(MAX_MESSAGE, maxBody / 3 - MAX_TYPE - 2));
		return new Failure(cut(message, chars), cut(type, MAX_TYPE));
	}

	private static String cut(String text, int chars) {
		return (text.length() <= chars) ? text : text.substring(0, chars);
	}

	/**
	 * Encodes the body.
	 * @return the body
	 */
	public byte[] encode() {
		return new BodyWriter().text(this.message).text(this.type).toByteArray();
	}

	/**
	 * Decodes a body.
	 * @param body the body
	 * @return the decoded body
	 * @throws ProtocolException if the body is truncated
	 */
	public static Failure decode(byte[] body) {
		BodyReader in = new BodyReader("RESPONSE", body);
		return new Failure(PrintableText.of(in.text()), PrintableText.className(in.text()));
	}

}
