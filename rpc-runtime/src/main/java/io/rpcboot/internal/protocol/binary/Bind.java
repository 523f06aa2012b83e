package io.rpcboot.internal.protocol.binary;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.serialization.contract.ContractHash;

/**
 * Body of a BIND frame: gives the numbers {@code first} to {@code first + methods - 1} to
 * the methods of a service, in the order of the client's contract. The header holds
 * {@code first}. Example: first 7, 3 methods: 7, 8 and 9.
 *
 * <pre>
 * +---------+----------------+-------+------------------+----------------+-------------------+
 * | methods | contract hash  | count | known contract   | service, text  | serializer, text  |
 * |         |                |       | hashes           |                |                   |
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

	/** Maximum number of contracts that a client may list as known. */
	public static final int MAX_KNOWN = 8;

	public Bind {
		known = List.copyOf(known);
	}

	/**
	 * Encodes the body.
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
	 * Decodes a body.
	 * @param body the body
	 * @return the decoded body
	 * @throws ProtocolException if the body is truncated or lists more than
	 * {@value #MAX_KNOWN} contracts
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
