package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.Locale;

/**
 * Definition of a type in a contract. Immutable.
 *
 * @param kind kind of the type, which determines its members
 * @param type the type
 * @param members members by rising number
 * @param aliases former class names
 * @since 0.1.0
 */
public record ContractType(Kind kind, TypeRef type, List<ContractMember> members, List<String> aliases) {

	/** Kinds of types that a contract defines. */
	public enum Kind {

		/** Class with fields. */
		BEAN,

		/** Record with components. */
		RECORD,

		/** Declared exception with its message and fields. */
		EXCEPTION,

		/** Enum with constants. */
		ENUM,

		/** Class or interface with subtypes. */
		BASE,

		/**
		 * Type such as {@code Object}, which accepts any assignable type of the service.
		 */
		ANY,

		/** Interface whose methods, the members, the server calls at the client. */
		CALLBACK,

		/** Message or enum of protobuf: its members have the numbers on the wire. */
		MESSAGE,

		/**
		 * The same with numbers that the code fixes: a member may be renamed, because its
		 * number is its identity.
		 */
		TAGGED;

		/**
		 * Returns true if the members are fields.
		 * @return true for a bean, a record and an exception
		 */
		public boolean hasFields() {
			return this == BEAN || this == RECORD || this == EXCEPTION;
		}

		/** Returns true for a type of protobuf, which has numbers and no name. */
		boolean isMessage() {
			return this == MESSAGE || this == TAGGED;
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
	 * Returns true if a type of the peer is the same type.
	 * @param other definition of the peer
	 * @return true if the class names are equal or one is an alias of the other type
	 */
	public boolean matches(ContractType other) {
		return this.type.name().equals(other.type.name()) || this.aliases.contains(other.type.name())
				|| other.aliases.contains(this.type.name());
	}

}
