package io.rpcboot.internal.protocol;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.serialization.contract.ContractHash;

/**
 * Gives the numbers {@code first} to {@code first + methods - 1} to the methods of a
 * service, in the order of the client's contract. The first number stands in the header.
 *
 * <pre>
 * +---------+----------------+-------+------------------+----------------+-------------------+
 * | methods | contract hash  | count | so many known    | service, text  | serializer, text  |
 * |         |                |       | contract hashes  |                |                   |
 * +---------+----------------+-------+------------------+----------------+-------------------+
 *   2         16               1       16 each            2 + n            2 + n
 * </pre>
 *
 * @param methods number of methods
 * @param contract hash of the client's contract
 * @param known hashes of the servers' contracts whose tables the client has, at most
 * {@value #MAX_KNOWN}
 * @param service the service as text
 * @param serializer name of the serializer
 */
public record Bind(int methods, ContractHash contract, List<ContractHash> known, String service, String serializer) {

	/** Most contracts that a client says it knows. */
	public static final int MAX_KNOWN = 8;

	public Bind {
		known = List.copyOf(known);
	}

	/**
	 * To bytes.
	 * @return the body
	 */
	public byte[] encode() {
		BodyWriter out = new BodyWriter().unsignedShort(this.methods)
			.hash(this.contract)
			.unsignedByte(this.known.size());
		this.known.forEach(out::hash);
		return out.text(this.service).text(this.serializer).toByteArray();
	}

	/**
	 * From bytes.
	 * @param body the body
	 * @return what it says
	 * @throws ProtocolException if it is truncated or knows too many contracts
	 */
	public static Bind decode(byte[] body) {
		BodyReader in = new BodyReader("BIND", body);
		int methods = in.unsignedShort();
		ContractHash contract = in.hash();
		int count = in.unsignedByte();
		if (count > MAX_KNOWN) {
			throw new ProtocolException("BIND: more than %d known contracts".formatted(MAX_KNOWN));
		}
		List<ContractHash> known = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			known.add(in.hash());
		}
		return new Bind(methods, contract, known, in.text(), in.text());
	}

}
