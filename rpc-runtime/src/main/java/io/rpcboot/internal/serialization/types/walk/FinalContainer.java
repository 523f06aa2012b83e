package io.rpcboot.internal.serialization.types.walk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collection;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

import io.rpcboot.internal.serialization.types.kind.Containers;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * A final field that keeps the collection or map that a constructor made, such as
 * {@code private final List<Item> items = new ArrayList<>()}: what arrives is put into
 * it, in place of what the constructor put there. The field itself is never written.
 */
final class FinalContainer {

	private static final MethodType FILL = MethodType.methodType(void.class, String.class, Object.class, Object.class);

	/**
	 * They compare more than was counted for what arrives, or otherwise than by equals.
	 */
	private static final Set<Class<?>> UNFIT = Set.of(Hashtable.class, Properties.class, WeakHashMap.class,
			IdentityHashMap.class, CopyOnWriteArraySet.class);

	private FinalContainer() {
	}

	static boolean isDeclared(Class<?> field) {
		return Collection.class.isAssignableFrom(field) || Map.class.isAssignableFrom(field);
	}

	/** What fills a field, of type {@code (Object, rawType)void}, by its getter. */
	static MethodHandle setter(String name, MethodHandle getter) {
		Class<?> rawType = getter.type().returnType();
		try {
			MethodHandle fill = MethodHandles.lookup().findStatic(FinalContainer.class, "fill", FILL);
			return MethodHandles.filterArguments(
					fill.bindTo("." + name).asType(MethodType.methodType(void.class, rawType, rawType)), 0, getter);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void fill(String step, @Nullable Object made, @Nullable Object arrived) {
		if (made == null || arrived == null || !isFit(made, arrived)) {
			throw refusal(step, made, arrived, null);
		}
		try {
			replace(made, arrived);
		}
		catch (RuntimeException ex) {
			throw refusal(step, made, arrived, ex);
		}
		if (size(made) != size(arrived)) {
			throw PathException.at(step, new PathException("%d elements of which a %s keeps %d (expected: all)"
				.formatted(size(arrived), made.getClass().getName(), size(made))));
		}
	}

	/** Whether it takes what arrived without comparisons that nobody counted. */
	private static boolean isFit(Object made, Object arrived) {
		Class<?> type = made.getClass();
		boolean isHashed = made instanceof Set || made instanceof Map;
		return type == arrived.getClass()
				|| ClassFields.isPlatform(type) && made instanceof Set == arrived instanceof Set
						&& !(isHashed && (UNFIT.contains(type) || Containers.isView(type)));
	}

	private static int size(Object container) {
		return (container instanceof Map<?, ?> map) ? map.size() : ((Collection<?>) container).size();
	}

	@SuppressWarnings("unchecked")
	private static void replace(Object made, Object arrived) {
		if (made instanceof Map<?, ?> map) {
			map.clear();
			((Map<Object, Object>) map).putAll((Map<Object, Object>) arrived);
			return;
		}
		((Collection<?>) made).clear();
		((Collection<Object>) made).addAll((Collection<Object>) arrived);
	}

	private static RuntimeException refusal(String step, @Nullable Object made, @Nullable Object arrived,
			@Nullable RuntimeException cause) {
		return PathException.at(step, new PathException(
				"%s for a final field, where the constructor left %s (expected: a modifiable collection or map of java.util that finds its keys quickly)"
					.formatted(name(arrived), name(made)),
				cause));
	}

	private static String name(@Nullable Object container) {
		return (container != null) ? "a " + container.getClass().getName() : "null";
	}

}
