package io.rpcboot.internal.protocol;

/**
 * The body of a response whose status is not OK and that carries no declared exception.
 *
 * <pre>
 * +----------------+--------------------+
 * | message, text  | type thrown, text  |
 * +----------------+--------------------+
 * </pre>
 *
 * @param message what happened
 * @param type class name of what the implementation threw, empty if nothing; only text
 */
public record Failure(String message, String type) {

	/** A char takes at most three bytes; a type's name is far shorter than this. */
	private static final int MAX_TYPE = 100;

	private static final int MAX_MESSAGE = 4000;

	/**
	 * Cut the texts so that the body fits a frame.
	 * @param message what happened
	 * @param type class name of what the implementation threw, empty if nothing
	 * @param maxBody largest body that the other side accepts, in bytes
	 * @return what fits
	 */
	public static Failure fitting(String message, String type, int maxBody) {
		int chars = Math.max(0, Math.min(MAX_MESSAGE, maxBody / 3 - MAX_TYPE - 2));
		return new Failure(cut(message, chars), cut(type, MAX_TYPE));
	}

	private static String cut(String text, int chars) {
		return (text.length() <= chars) ? text : text.substring(0, chars);
	}

	/**
	 * To bytes.
	 * @return the body
	 */
	public byte[] encode() {
		return new BodyWriter().text(this.message).text(this.type).toByteArray();
	}

	/**
	 * From bytes.
	 * @param body the body
	 * @return what it says
	 * @throws ProtocolException if it is truncated
	 */
	public static Failure decode(byte[] body) {
		BodyReader in = new BodyReader("RESPONSE", body);
		return new Failure(in.text(), in.text());
	}

}
