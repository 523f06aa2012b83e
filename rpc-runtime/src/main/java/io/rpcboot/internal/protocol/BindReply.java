package io.rpcboot.internal.protocol;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.serialization.contract.ContractHash;

/**
 * What a server says to a BIND that it accepts, at least for a part of the methods.
 *
 * <pre>
 * +----------------+-------+-----------------------------------------+
 * | contract hash  | count | so many refused methods, each an index  |
 * |                |       | from 0 and why, a text                  |
 * +----------------+-------+-----------------------------------------+
 *   16               2       2 + 2 + n each
 * </pre>
 *
 * @param contract hash of the server's contract
 * @param refused the client's methods that the server cannot serve, by index, and why
 */
public record BindReply(ContractHash contract, Map<Integer, String> refused) {

	/** The text where a frame has no room: as many methods as a table has fit with it. */
	public static final String NO_ROOM = "see the log";

	/** What a control frame may hold, less the fields before the methods. */
	private static final int MAX_REFUSALS = 64 * 1024 - 18;

	private static final int MAX_CHARS = 4000;

	/** Shorter texts help nobody. */
	private static final int MIN_CHARS = 40;

	public BindReply {
		refused = Collections.unmodifiableMap(new TreeMap<>(refused));
	}

	/**
	 * How long each text may be.
	 * @param refused number of refused methods, 1 or more
	 * @return characters, 0 if so many methods have room for {@link #NO_ROOM} only
	 */
	public static int maxChars(int refused) {
		int chars = (MAX_REFUSALS / refused - 4) / 3;
		return (chars < MIN_CHARS) ? 0 : Math.min(MAX_CHARS, chars);
	}

	/**
	 * To bytes.
	 * @return the body
	 */
	public byte[] encode() {
		BodyWriter out = new BodyWriter().hash(this.contract).unsignedShort(this.refused.size());
		this.refused.forEach((index, why) -> out.unsignedShort(index).text(why));
		return out.toByteArray();
	}

	/**
	 * From bytes.
	 * @param body the body
	 * @return what it says
	 * @throws ProtocolException if it is truncated
	 */
	public static BindReply decode(byte[] body) {
		BodyReader in = new BodyReader("BIND_REPLY", body);
		ContractHash contract = in.hash();
		Map<Integer, String> refused = new TreeMap<>();
		for (int i = in.unsignedShort(); i > 0; i--) {
			int index = in.unsignedShort();
			refused.put(index, in.text());
		}
		return new BindReply(contract, refused);
	}

}
