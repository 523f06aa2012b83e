package io.rpcboot.serialization.contract;

import java.util.List;

/**
 * A part of a type: a field, a constant, a subtype.
 *
 * @param number on the wire: of a field its field number, of a constant its ordinal, of a
 * subtype its number
 * @param name in Java; {@value #NONE} for a subtype
 * @param type what it holds; {@code void} for a constant
 * @param aliases former names
 */
public record ContractMember(int number, String name, TypeRef type, List<String> aliases) {

	/** The name of what has none. */
	public static final String NONE = "-";

	/** The name of the message of an exception beside a field {@code message}. */
	public static final String MESSAGE = "getMessage()";

	public ContractMember {
		aliases = List.copyOf(aliases);
	}

	/** Create a member without aliases. */
	public ContractMember(int number, String name, TypeRef type) {
		this(number, name, type, List.of());
	}

}
