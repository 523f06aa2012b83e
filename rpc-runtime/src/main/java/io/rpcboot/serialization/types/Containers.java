package io.rpcboot.serialization.types;

import java.lang.reflect.Modifier;
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

import org.jspecify.annotations.Nullable;

/**
 * Collections and maps that are not carried: why, and what to declare in their place.
 */
final class Containers {

	/** Collections that are more than their elements. */
	private static final Map<Class<?>, String> REASONS = Map.of(ArrayBlockingQueue.class,
			"its capacity would be allocated on the word of the other side", DelayQueue.class,
			"when its elements can be taken depends on the clock of each side", SynchronousQueue.class,
			"it holds nothing, it hands over between threads");

	private Containers() {
	}

	/** Why a collection or map is not carried. */
	static String reason(Class<?> type) {
		String reason = REASONS.get(type);
		if (reason != null) {
			return reason;
		}
		if (!type.isInterface() && Modifier.isAbstract(type.getModifiers())) {
			return "an abstract class does not say which class arrives";
		}
		return "this kind of %s is not carried".formatted(Map.class.isAssignableFrom(type) ? "map" : "collection");
	}

	/** What is carried in place of it. */
	static String substitute(Class<?> type) {
		List<Class<?>> carried = List.of(SortedSet.class, Set.class, List.class, BlockingQueue.class, Queue.class,
				ConcurrentMap.class, SortedMap.class, Map.class);
		return carried.stream()
			.filter((each) -> each.isAssignableFrom(type))
			.findFirst()
			.orElse(Collection.class)
			.getName();
	}

	/** Whether the first type argument is an enum. */
	static boolean isOfEnum(ResolvedType type) {
		return !type.arguments().isEmpty() && type.arguments().get(0).raw().isEnum();
	}

	/** A type of the JDK that came after Java 17. */
	static @Nullable Class<?> find(String type) {
		try {
			return Class.forName(type);
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

}
