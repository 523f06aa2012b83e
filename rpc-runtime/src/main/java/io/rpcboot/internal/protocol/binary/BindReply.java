package io.rpcboot.internal.protocol.binary;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.contract.ContractHash;

/**
 * Body of a BIND_REPLY frame with status OK: the server's contract, and the methods of
 * the client that the server refuses.
 *
 * <pre>
 * +----------------+-------+-----------------------------------------+
 * | contract hash  | count | refused methods, each an index          |
 * |                |       | from 0 and a reason, text               |
 * +----------------+-------+-----------------------------------------+
 *   16               2       2 + 2 + n each
 * </pre>
 *
 * @param contract hash of the server's contract
 * @param refused reasons by the index of the client's method that the server cannot serve
 */
public record BindReply(ContractHash contract, Map<Integer, String> refused) {

	/**
	 * The reason if a frame is too small for real ones. With it, every method of a
	 * contract fits.
	 */
	public static final String NO_ROOM = "see the log";

	/**
	 * Maximum size of all refusals, in bytes: a body of 64 KiB less the 18 bytes before
	 * the methods.
	 */
	private static final int MAX_REFUSALS = 64 * 1024 - 18;

	private static final int MAX_CHARS = 4000;

	/** Minimum length of a useful reason, in characters. */
	private static final int MIN_CHARS = 40;

	public BindReply {
		refused = Collections.unmodifiableMap(new TreeMap<>(refused));
	}

	/**
	 * Returns a reply whose reasons are cut so that all fit.
	 * @param contract contract of the server
	 * @param refused reasons by the number of the method
	 */
	public static BindReply fitting(ContractHash contract, Map<Integer, String> refused) {
		int length = refused.isEmpty() ? MAX_CHARS : maxChars(refused.size());
		Map<Integer, String> cut = new TreeMap<>(refused);
		cut.replaceAll((index, why) -> (length == 0) ? NO_ROOM : why.substring(0, Math.min(length, why.length())));
		return new BindReply(contract, cut);
	}

	/**
	 * Returns the maximum length of each reason:
	 * {@code (MAX_REFUSALS / refused - 4) / 3}. Example: 100 refusals have
	 * {@code (65518 / 100 - 4) / 3 = 217} characters each.
	 * @param refused number of refused methods, 1 or more
	 * @return characters; 0 if only {@link #NO_ROOM} fits
	 */
	public static int maxChars(int refused) {
		int chars = (MAX_REFUSALS / refused - 4) / 3;
		return (chars < MIN_CHARS) ? 0 : Math.min(MAX_CHARS, chars);
	}

	/**
	 * Encodes the body.
	 * @return the body
	 */
	public byte[] encode() {
		BodyWriter out = new BodyWriter().hash(this.contract).unsignedShort(this.refused.size());
		this.refused.forEach((index, why) -> out.unsignedShort(index).text(why));
		return out.toByteArray();
	}

	/**
	 * Decodes a body.
	 * @param body the body
	 * @return the decoded body
	 * @throws ProtocolException if the body is truncated
	 */
	public static BindReply decode(byte[] body) {
		BodyReader in = new BodyReader("BIND_REPLY", body);
		ContractHash contract = in.hash();
		Map<Integer, String> refused = new TreeMap<>();
		for (int i = in.unsignedShort(); i > 0; i--) {
			int index = in.unsignedShort();
			refused.put(index, PrintableText.of(in.text(), MAX_CHARS));
		}
		return new BindReply(contract, refused);
	}

}
