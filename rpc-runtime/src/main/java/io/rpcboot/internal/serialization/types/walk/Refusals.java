package io.rpcboot.internal.serialization.types.walk;

import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Stream;

import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import io.rpcboot.serialization.UnsupportedTypeException;
import org.jspecify.annotations.Nullable;

/**
 * Checks of classes, with the reason of a refusal and its remedy.
 */
final class Refusals {

	/** Collections that cannot be rebuilt from their elements. */
	private static final Map<Class<?>, String> REASONS = Map.of(ArrayBlockingQueue.class,
			"its capacity would be allocated on the word of the other side", DelayQueue.class,
			"when its elements can be taken depends on the clock of each side", SynchronousQueue.class,
			"it holds nothing, it hands over between threads");

	private Refusals() {
	}

	static void check(Class<?> type, TypePath path) {
		checkKind(type, path);
		checkAccess(type, path);
	}

	static void checkException(Class<?> type, TypePath path) {
		if (Modifier.isAbstract(type.getModifiers())) {
			throw path.refuse(type, "an abstract exception does not say which class arrives",
					"Declare the class that is meant.");
		}
		checkInner(type, path);
		checkAccess(type, path);
	}

	/** Checks the first type argument of a set or a map, whose hash code is computed. */
	static void checkHashed(ResolvedType type, TypePath path) {
		if (!type.arguments().isEmpty() && type.arguments().get(0).raw() == URL.class) {
			throw path.refuse(URL.class, "its hash code asks the network for the address of its host",
					"Declare java.net.URI.");
		}
	}

	/** Returns the refusal of an interface or abstract class without known subclasses. */
	static UnsupportedTypeException noSubtypes(Class<?> type, TypePath path) {
		String name = type.getTypeName();
		String reason = "%s does not say which class arrives"
			.formatted(type.isInterface() ? "an interface" : "an abstract class");
		return refuse(type, path, reason, ClassFields.isPlatform(type) ? "Declare the class that is meant."
				: "Declare the class that is meant, seal %s, name its subclasses by @RpcSubtypes, or set %s. If it is not your class, give a Delegate for it."
					.formatted(name, path.options().subtypesOf(type)));
	}

	/** Returns a refusal with the advice for a common type, else with the given one. */
	static UnsupportedTypeException refuse(Class<?> type, TypePath path, String reason, String action) {
		Substitutes substitute = Substitutes.of(type);
		return (substitute == null) ? path.refuse(type, reason, action)
				: path.refuse(type, substitute.reason(), substitute.action());
	}

	private static void checkInner(Class<?> type, TypePath path) {
		if (type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers())) {
			throw path.refuse(type, "it is an inner class and holds an instance of %s"
				.formatted(type.getEnclosingClass().getTypeName()), "Make it static.");
		}
	}

	private static void checkKind(Class<?> type, TypePath path) {
		if (type == void.class) {
			throw path.refuse(type, "it is not a value", "Declare a type of value.");
		}
		if (Throwable.class.isAssignableFrom(type)) {
			throw path.refuse(type, "an exception is carried only when the method throws it",
					"Declare it in the throws clause, or carry its text.");
		}
		if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
			throw path.refuse(type, reason(type), "Declare %s.".formatted(substitute(type, path)));
		}
		if (type.isInterface()) {
			throw noSubtypes(type, path);
		}
		if (ClassFields.isPlatform(type) && !type.isEnum()) {
			throw refuse(type, path, "this class of the JDK is not carried",
					"Hold the data in a class of your own, with fields of carried types, or give a Delegate for it.");
		}
		if (!type.isEnum() && Modifier.isAbstract(type.getModifiers())) {
			throw noSubtypes(type, path);
		}
		checkInner(type, path);
	}

	/** Returns the reason why a collection or map is not carried. */
	private static String reason(Class<?> type) {
		String reason = REASONS.get(type);
		if (reason != null) {
			return reason;
		}
		if (!type.isInterface() && Modifier.isAbstract(type.getModifiers())) {
			return "an abstract class does not say which class arrives";
		}
		return "this kind of %s is not carried".formatted(Map.class.isAssignableFrom(type) ? "map" : "collection");
	}

	/**
	 * Returns a carried type in place of a collection or map: one with a delegate, else
	 * one of the JDK.
	 */
	private static String substitute(Class<?> type, TypePath path) {
		List<Class<?>> carried = List.of(SortedSet.class, Set.class, List.class, BlockingQueue.class, Queue.class,
				ConcurrentMap.class, SortedMap.class, Map.class);
		return Stream.concat(path.options().delegates().keySet().stream(), carried.stream())
			.filter((each) -> each.isAssignableFrom(type))
			.findFirst()
			.orElse(Collection.class)
			.getName();
	}

	private static void checkAccess(Class<?> type, TypePath path) {
		String reason = outOfReach(type);
		if (reason != null) {
			throw path.refuse(type, "it is " + reason, type.isLocalClass() || type.isAnonymousClass()
					? "Declare a public class outside of the method." : "Make it and what encloses it public.");
		}
	}

	/** Returns the reason why a class is inaccessible, null if it is accessible. */
	static @Nullable String outOfReach(Class<?> type) {
		if (type.isAnonymousClass()) {
			return "anonymous";
		}
		if (type.isLocalClass()) {
			return "local to a method";
		}
		for (Class<?> each = type; each != null; each = each.getDeclaringClass()) {
			if (!Modifier.isPublic(each.getModifiers())) {
				return (each == type) ? "not public" : "not public, because %s is not".formatted(each.getTypeName());
			}
		}
		return null;
	}

}
