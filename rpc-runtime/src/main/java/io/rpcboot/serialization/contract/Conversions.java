package io.rpcboot.serialization.contract;

import java.util.Map;

/**
 * Which types that a contract does not define can be read as which: by their names,
 * because they look alike on the wire.
 */
final class Conversions {

	private static final String FLOAT = "float";

	/** The types of one and the same wire format among which a value is converted. */
	private static final Map<String, String> FAMILIES = Map.ofEntries(Map.entry("byte", "integer"),
			Map.entry("short", "integer"), Map.entry("int", "integer"), Map.entry("long", "integer"),
			Map.entry("float", FLOAT), Map.entry("double", "double"), Map.entry("boolean", "boolean"),
			Map.entry("char", "char"), Map.entry("java.lang.Byte", "integer"), Map.entry("java.lang.Short", "integer"),
			Map.entry("java.lang.Integer", "integer"), Map.entry("java.lang.Long", "integer"),
			Map.entry("java.lang.Float", FLOAT), Map.entry("java.lang.Double", "double"),
			Map.entry("java.lang.Boolean", "boolean"), Map.entry("java.lang.Character", "char"));

	private static final String PACKAGE = "java.util.";

	private Conversions() {
	}

	/** Whether the types fit, but for their type arguments, which are as many. */
	static boolean isReadable(TypeRef written, TypeRef read) {
		if (written.arguments().size() != read.arguments().size()) {
			return false;
		}
		String from = FAMILIES.get(written.name());
		String to = FAMILIES.get(read.name());
		if (from != null && to != null) {
			return from.equals(to) || (from.equals(FLOAT) && to.equals("double"));
		}
		if (written.name().equals(TypeRef.ARRAY)) {
			return read.name().equals(TypeRef.ARRAY) && isBytes(written) == isBytes(read);
		}
		return written.name().equals(read.name()) || (isCollection(written) && isCollection(read))
				|| (isMap(written) && isMap(read));
	}

	/** A run of bytes and no repeated field. */
	private static boolean isBytes(TypeRef array) {
		return array.arguments().get(0).name().equals("byte");
	}

	private static boolean isCollection(TypeRef type) {
		return type.arguments().size() == 1
				&& endsWith(type, "List", "Set", "Collection", "Queue", "Deque", "Vector", "Stack");
	}

	private static boolean isMap(TypeRef type) {
		return type.arguments().size() == 2 && endsWith(type, "Map", "Hashtable", "Properties");
	}

	private static boolean endsWith(TypeRef type, String... kinds) {
		if (!type.name().startsWith(PACKAGE)) {
			return false;
		}
		for (String each : kinds) {
			if (type.name().endsWith(each)) {
				return true;
			}
		}
		return false;
	}

}
