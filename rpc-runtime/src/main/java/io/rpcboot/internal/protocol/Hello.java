package io.rpcboot.internal.protocol;

/**
 * How a side introduces itself. Later versions may append fields; a reader ignores what
 * it does not know.
 *
 * <pre>
 * +-----------------+-------------------+--------------------+
 * | max frame size  | serializer, text  | application, text  |
 * +-----------------+-------------------+--------------------+
 *   4                 2 + n               2 + n
 * </pre>
 *
 * @param maxFrameSize largest body that this side accepts, in bytes
 * @param serializer name of the serializer
 * @param application name of the application, for logs
 */
public record Hello(int maxFrameSize, String serializer, String application) {

	/**
	 * To bytes.
	 * @return the body
	 */
	public byte[] encode() {
		return new BodyWriter().integer(this.maxFrameSize).text(this.serializer).text(this.application).toByteArray();
	}

	/**
	 * From bytes.
	 * @param body the body
	 * @return what it says
	 * @throws ProtocolException if it is truncated
	 */
	public static Hello decode(byte[] body) {
		BodyReader in = new BodyReader("HELLO", body);
		return new Hello(in.positiveInt(), in.text(), in.text());
	}

}
