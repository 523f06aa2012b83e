package io.rpcboot.internal.protocol.binary;

import io.rpcboot.internal.protocol.ProtocolException;

/**
 * Body of a WINDOW frame: the calls and bytes that a side has granted since the
 * connection began. Totals only rise, so a lost race or a repeated frame is harmless. The
 * header holds the total of calls (call id) and the number of calls that may be in flight
 * (code). The total of calls includes calls that ended without a reply.
 *
 * <pre>
 * +-----------------+
 * | total of bytes  |
 * +-----------------+
 *   8
 * </pre>
 */
public final class Window {

	/** Number of calls that may be in flight: 65,535 or more. */
	public static final int MANY = 0xffff;

	private Window() {
	}

	/**
	 * Encodes the body.
	 * @param bytes total of granted bytes
	 * @return the body
	 */
	public static byte[] encode(long bytes) {
		return new BodyWriter().number(bytes).toByteArray();
	}

	/**
	 * Decodes a body.
	 * @param body the body
	 * @return total of granted bytes
	 * @throws ProtocolException if the body is truncated or the total is negative
	 */
	public static long decode(byte[] body) {
		return new BodyReader("WINDOW", body).nonNegativeLong();
	}

}
