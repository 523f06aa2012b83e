package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.Set;

/**
 * Type of a field in a declaration.
 *
 * @param name name of a scalar, or full name of a message or an enum
 * @param code number of the kind in a descriptor
 */
public record TypeName(String name, int code) {

	public static final TypeName DOUBLE = new TypeName("double", 1);

	public static final TypeName FLOAT = new TypeName("float", 2);

	public static final TypeName INT64 = new TypeName("int64", 3);

	public static final TypeName INT32 = new TypeName("int32", 5);

	public static final TypeName BOOL = new TypeName("bool", 8);

	public static final TypeName STRING = new TypeName("string", 9);

	public static final TypeName BYTES = new TypeName("bytes", 12);

	public static final TypeName UINT32 = new TypeName("uint32", 13);

	private static final int MESSAGE = 11;

	private static final int ENUM = 14;

	private static final Set<TypeName> KEYS = Set.of(INT64, INT32, UINT32, BOOL, STRING);

	static TypeName message(String name) {
		return new TypeName(name, MESSAGE);
	}

	static TypeName enumeration(String name) {
		return new TypeName(name, ENUM);
	}

	/** Returns true for a message or an enum, whose name a descriptor has. */
	boolean isDeclared() {
		return this.code == MESSAGE || this.code == ENUM;
	}

	/** Returns true if a {@code map} can have keys of this type. */
	public boolean isKey() {
		return KEYS.contains(this);
	}

	/** Returns the name within a package. */
	String within(String packageName) {
		String prefix = packageName + ".";
		return (isDeclared() && this.name.startsWith(prefix) && this.name.lastIndexOf('.') < prefix.length())
				? this.name.substring(prefix.length()) : this.name;
	}

}
