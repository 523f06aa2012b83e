package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Type of a field in a declaration.
 *
 * @param name name of a scalar, or full name of a message or an enum
 * @param code number of the kind in a descriptor
 * @param form form of a text, for readers of the file; null if any text is meant
 */
public record TypeName(String name, int code, @Nullable String form) {

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

	private TypeName(String name, int code) {
		this(name, code, null);
	}

	static TypeName message(String name) {
		return new TypeName(name, MESSAGE);
	}

	static TypeName enumeration(String name) {
		return new TypeName(name, ENUM);
	}

	/** Returns true for a message or an enum, whose name a descriptor has. */
	public boolean isDeclared() {
		return this.code == MESSAGE || this.code == ENUM;
	}

	/** Returns true for an enum. */
	public boolean isEnum() {
		return this.code == ENUM;
	}

	/** Returns true if a {@code map} can have keys of this type. */
	public boolean isKey() {
		return KEYS.contains(withForm(null));
	}

	/** Returns the type with another form of its texts. */
	public TypeName withForm(@Nullable String other) {
		return new TypeName(this.name, this.code, other);
	}

	/**
	 * Returns the name within a message or a service of a package. It begins with a point
	 * if protobuf would find another member of these first.
	 * @param members simple names of the members
	 */
	String within(String packageName, Collection<String> members) {
		if (!isDeclared()) {
			return this.name;
		}
		String prefix = packageName + ".";
		String simple = this.name.startsWith(prefix) ? this.name.substring(prefix.length()) : this.name;
		List<String> segments = List.of(packageName.split("\\."));
		boolean isHidden = (simple.contains(".") || simple.equals(this.name))
				? segments.subList(1, segments.size()).contains(this.name.split("\\.")[0]) : members.contains(simple);
		return isHidden ? "." + this.name : simple.contains(".") ? this.name : simple;
	}

}
