package io.rpcboot.internal.protocol;

/**
 * The grant: what a side has admitted on this connection since its beginning. Totals only
 * rise, so a lost race or a repeated frame does no harm. The total of calls stands in the
 * header, and beside it how many may be under way: those that have ended without an
 * answer are among the total.
 *
 * <pre>
 * +-----------------+
 * | total of bytes  |
 * +-----------------+
 *   8
 * </pre>
 */
public final class Window {

	/** In place of how many calls may be under way: as many, or more. */
	public static final int MANY = 0xffff;

	private Window() {
	}

	/**
	 * To bytes.
	 * @param bytes total of bytes admitted
	 * @return the body
	 */
	public static byte[] encode(long bytes) {
		return new BodyWriter().number(bytes).toByteArray();
	}

	/**
	 * From bytes.
	 * @param body the body
	 * @return total of bytes admitted
	 * @throws ProtocolException if it is truncated or negative
	 */
	public static long decode(byte[] body) {
		return new BodyReader("WINDOW", body).nonNegativeLong();
	}

}
