package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.Locale;

/**
 * The definition of a type in a contract.
 *
 * @param kind what its members are
 * @param type the type
 * @param members by rising number
 * @param aliases former class names
 */
public record ContractType(Kind kind, TypeRef type, List<ContractMember> members, List<String> aliases) {

	/** The kinds of types that a contract defines. */
	public enum Kind {

		/** A class with fields. */
		BEAN,

		/** A record with components. */
		RECORD,

		/** A declared exception with its message and fields. */
		EXCEPTION,

		/** An enum with constants. */
		ENUM,

		/** A class or interface with subtypes. */
		BASE,

		/**
		 * A type, such as {@code Object}, that stands for any type which the service
		 * knows.
		 */
		ANY;

		/**
		 * Whether its members are fields, as those of a bean, a record and an exception.
		 */
		public boolean hasFields() {
			return this == BEAN || this == RECORD || this == EXCEPTION;
		}

		String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	public ContractType {
		members = List.copyOf(members);
		aliases = List.copyOf(aliases);
	}

	/**
	 * Whether it is the same as a type of the other side, by its class name or by an
	 * alias of either.
	 */
	public boolean matches(ContractType other) {
		return this.type.name().equals(other.type.name()) || this.aliases.contains(other.type.name())
				|| other.aliases.contains(this.type.name());
	}

}
