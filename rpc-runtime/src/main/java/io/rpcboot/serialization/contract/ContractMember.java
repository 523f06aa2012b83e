package io.rpcboot.serialization.contract;

import java.util.List;

/**
 * Member of a type: a field, a constant or a subtype. Immutable.
 *
 * @param number number on the wire: number of a field from 1, ordinal of a constant from
 * 0, number of a subtype from 1
 * @param name name in Java; {@value #NONE} for a subtype
 * @param type type of the value; {@code void} for a constant
 * @param aliases former names
 * @since 0.1.0
 */
public record ContractMember(int number, String name, TypeRef type, List<String> aliases) {

	/** Name of a subtype, which has none. */
	public static final String NONE = "-";

	/** Name of the message of an exception that has a field {@code message}. */
	public static final String MESSAGE = "getMessage()";

	public ContractMember {
		aliases = List.copyOf(aliases);
	}

	/**
	 * Creates a member without aliases.
	 * @param number number on the wire
	 * @param name name in Java
	 * @param type type of the value
	 */
	public ContractMember(int number, String name, TypeRef type) {
		this(number, name, type, List.of());
	}

}
