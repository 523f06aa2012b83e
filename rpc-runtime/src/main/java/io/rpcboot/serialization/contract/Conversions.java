package io.rpcboot.serialization.contract;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Conversions between types that a contract does not define, by their names. The types
 * have the same form on the wire.
 *
 * @since 0.1.0
 */
public final class Conversions {

	private static final Map<String, String> PRIMITIVES = Map.of("java.lang.Byte", "byte", "java.lang.Short", "short",
			"java.lang.Integer", "int", "java.lang.Long", "long", "java.lang.Float", "float", "java.lang.Double",
			"double", "java.lang.Boolean", "boolean", "java.lang.Character", "char");

	private static final Set<String> INTEGERS = Set.of("byte", "short", "int", "long");

	private static final Pattern COLLECTION = Pattern
		.compile("java\\.util\\..*(List|Set|Collection|Queue|Deque|Vector|Stack)");

	private static final Pattern MAP = Pattern.compile("java\\.util\\..*(Map|Hashtable|Properties)");

	private Conversions() {
	}

	/**
	 * Returns true if a type can be read as another one. Type arguments are counted and
	 * not compared.
	 * @param written type of the writer
	 * @param read type of the reader
	 * @return true for the same type, a primitive and its box, integers of any size,
	 * {@code float} as {@code double}, two arrays of which both or neither hold bytes,
	 * two collections, or two maps
	 */
	public static boolean isReadable(TypeRef written, TypeRef read) {
		int arguments = written.arguments().size();
		if (arguments != read.arguments().size()) {
			return false;
		}
		if (written.name().equals(TypeRef.ARRAY)) {
			return read.name().equals(TypeRef.ARRAY) && isBytes(written) == isBytes(read);
		}
		String from = PRIMITIVES.getOrDefault(written.name(), written.name());
		String to = PRIMITIVES.getOrDefault(read.name(), read.name());
		return from.equals(to) || (INTEGERS.contains(from) && INTEGERS.contains(to))
				|| (from.equals("float") && to.equals("double")) || (arguments == 1 && areBoth(COLLECTION, from, to))
				|| (arguments == 2 && areBoth(MAP, from, to));
	}

	/**
	 * Returns true for an array of bytes, which is one value on the wire and no repeated
	 * field.
	 */
	private static boolean isBytes(TypeRef array) {
		return array.arguments().get(0).name().equals("byte");
	}

	private static boolean areBoth(Pattern kind, String written, String read) {
		return kind.matcher(written).matches() && kind.matcher(read).matches();
	}

}
