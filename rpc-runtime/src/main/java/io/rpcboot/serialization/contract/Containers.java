package io.rpcboot.serialization.contract;

/**
 * Which names of types are collections and maps: all of one kind look alike on the wire.
 */
final class Containers {

	private static final String PACKAGE = "java.util.";

	private Containers() {
	}

	/** One type argument and a name that says so. */
	static boolean isCollection(TypeRef type) {
		return type.arguments().size() == 1 && type.name().startsWith(PACKAGE)
				&& type.name().matches(".*(List|Set|Collection|Queue|Deque|Vector|Stack)");
	}

	/** Two type arguments and a name that says so. */
	static boolean isMap(TypeRef type) {
		return type.arguments().size() == 2 && type.name().startsWith(PACKAGE)
				&& type.name().matches(".*(Map|Hashtable|Properties)");
	}

}
