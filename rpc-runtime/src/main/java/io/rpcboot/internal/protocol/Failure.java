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
