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
import io.rpcboot.internal.serialization.types.kind.LetterCase;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Final field with a collection or map that the constructor creates, such as
 * {@code private final List<Item> items = new ArrayList<>()}. The elements that arrive
 * replace the content of the container; the field itself is never written.
 */
final class FinalContainer {

	private static final MethodType FILL = MethodType.methodType(void.class, String.class, Object.class, Object.class);

	/**
	 * Classes that compare more than was charged, or not by {@code equals}.
	 */
	private static final Set<Class<?>> UNFIT = Set.of(Hashtable.class, Properties.class, WeakHashMap.class,
			IdentityHashMap.class, CopyOnWriteArraySet.class);

	private FinalContainer() {
	}

	static boolean isDeclared(Class<?> field) {
		return Collection.class.isAssignableFrom(field) || Map.class.isAssignableFrom(field);
	}

	/**
	 * Returns a handle {@code (Object, rawType)void} that fills the container of a field.
	 * @param name name of the field
	 * @param getter handle that returns the container
	 */
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

	/** Returns true if the container takes the elements without uncounted comparisons. */
	private static boolean isFit(Object made, Object arrived) {
		Class<?> type = made.getClass();
		boolean isHashed = made instanceof Set || made instanceof Map;
		Order anyCase = LetterCase.of(arrived);
		if (anyCase != null && LetterCase.of(made) != anyCase) {
			return false;
		}
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
