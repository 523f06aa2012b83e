package io.rpcboot.serialization.protostuff;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;

import io.rpcboot.serialization.UnsupportedTypeException;

import org.jspecify.annotations.Nullable;

/**
 * Why a class is not a bean, a record or an enum that can be carried, and what to do.
 */
final class Refusals {

	private static final String OWN_CLASS = "Hold the data in a class of your own, with fields of carried types.";

	private Refusals() {
	}

	static void check(Class<?> type, TypePath path) {
		UnsupportedTypeException refusal = kind(type, path);
		if (refusal == null) {
			refusal = access(type, path);
		}
		if (refusal != null) {
			throw refusal;
		}
	}

	static void checkException(Class<?> type, TypePath path) {
		if (Modifier.isAbstract(type.getModifiers())) {
			throw path.refuse(type, "an abstract exception does not say which class arrives",
					"Declare the class that is meant.");
		}
		if (isInner(type)) {
			throw inner(type, path);
		}
		UnsupportedTypeException refusal = access(type, path);
		if (refusal != null) {
			throw refusal;
		}
	}

	/** The refusal of an interface or abstract class of which no subclass is known. */
	static UnsupportedTypeException noSubtypes(Class<?> type, TypePath path) {
		String name = type.getName();
		return path.refuse(type, "%s does not say which class arrives".formatted(type
			.isInterface() ? "an interface" : "an abstract class"), ClassFields.isPlatform(type)
					? "Declare the class that is meant."
					: "Declare the class that is meant, seal %s, name its subclasses by @RpcSubtypes, or set the property %s%s."
						.formatted(name, Subtypes.PROPERTY, name));
	}

	private static boolean isInner(Class<?> type) {
		return type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
	}

	private static UnsupportedTypeException inner(Class<?> type, TypePath path) {
		return path.refuse(type,
				"it is an inner class and holds an instance of %s".formatted(type.getEnclosingClass().getName()),
				"Make it static.");
	}

	private static @Nullable UnsupportedTypeException kind(Class<?> type, TypePath path) {
		if (type == void.class) {
			return path.refuse(type, "it is not a value", "Declare a type of value.");
		}
		if (type.isArray()) {
			return path.refuse(type, "of the arrays only byte[] is carried", "Use a List.");
		}
		if (Throwable.class.isAssignableFrom(type)) {
			return path.refuse(type, "an exception is carried only when the method throws it",
					"Declare it in the throws clause, or carry its text.");
		}
		if (Collection.class.isAssignableFrom(type)) {
			return path.refuse(type, "this kind of collection is not carried",
					"Use Collection, List, ArrayList, LinkedList, Set, HashSet, LinkedHashSet, SortedSet, NavigableSet or TreeSet.");
		}
		if (Map.class.isAssignableFrom(type)) {
			return path.refuse(type, "this kind of map is not carried",
					"Use Map, HashMap, LinkedHashMap, SortedMap, NavigableMap or TreeMap.");
		}
		if (type.isInterface()) {
			return noSubtypes(type, path);
		}
		if (ClassFields.isPlatform(type) && !type.isEnum()) {
			return path.refuse(type, "this class of the JDK is not carried",
					OWN_CLASS + " Or give ProtostuffSerializer a Delegate for it.");
		}
		if (!type.isEnum() && Modifier.isAbstract(type.getModifiers())) {
			return noSubtypes(type, path);
		}
		if (isInner(type)) {
			return inner(type, path);
		}
		return null;
	}

	private static @Nullable UnsupportedTypeException access(Class<?> type, TypePath path) {
		String reason = outOfReach(type);
		if (reason == null) {
			return null;
		}
		return path.refuse(type, "it is " + reason, type.isLocalClass() || type.isAnonymousClass()
				? "Declare a public class outside of the method." : "Make it and what encloses it public.");
	}

	/** Why a class cannot be reached, null if it can. */
	static @Nullable String outOfReach(Class<?> type) {
		if (type.isAnonymousClass()) {
			return "anonymous";
		}
		if (type.isLocalClass()) {
			return "local to a method";
		}
		for (Class<?> each = type; each != null; each = each.getDeclaringClass()) {
			if (!Modifier.isPublic(each.getModifiers())) {
				return (each == type) ? "not public" : "not public, because %s is not".formatted(each.getName());
			}
		}
		return null;
	}

}
