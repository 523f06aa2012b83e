package io.rpcboot.internal.protocol;

/**
 * Gives the numbers {@code first} to {@code first + methods - 1} to the methods of a
 * service, in the order of the contract. The first number stands in the header.
 *
 * <pre>
 * +---------+----------------+----------------+
 * | methods | contract hash  | service, text  |
 * +---------+----------------+----------------+
 *   2         16               2 + n
 * </pre>
 *
 * @param methods number of methods
 * @param hashHigh first half of the contract hash
 * @param hashLow second half of the contract hash
 * @param service the service as text
 */
public record Bind(int methods, long hashHigh, long hashLow, String service) {

	/**
	 * To bytes.
	 * @return the body
	 */
	public byte[] encode() {
		return new BodyWriter().unsignedShort(this.methods)
			.number(this.hashHigh)
			.number(this.hashLow)
			.text(this.service)
			.toByteArray();
	}

	/**
	 * From bytes.
	 * @param body the body
	 * @return what it says
	 * @throws ProtocolException if it is truncated
	 */
	public static Bind decode(byte[] body) {
		BodyReader in = new BodyReader("BIND", body);
		return new Bind(in.unsignedShort(), in.anyLong(), in.anyLong(), in.text());
	}

}
