package io.rpcboot.internal.serialization.protobuf.schema;

import org.jspecify.annotations.Nullable;

/**
 * Field of a message.
 *
 * @param name name in snake case
 * @param number number on the wire
 * @param label presence and number of values
 * @param type type of a value
 * @param key type of the keys of a map; null for any other field
 */
public record FieldDeclaration(String name, int number, Label label, TypeName type, @Nullable TypeName key) {

	/** Presence and number of the values of a field. */
	public enum Label {

		/** One value, absent if it is zero. */
		IMPLICIT,

		/** One value or none. */
		OPTIONAL,

		/** Any number of values. */
		REPEATED,

		/** One of the fields of a choice. */
		CHOICE

	}

}
