package io.rpcboot.internal.serialization.types.walk;

import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.rpcboot.RpcSubtypes;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import io.rpcboot.serialization.TypeOptions;
import org.jspecify.annotations.Nullable;

/**
 * Finds the subtypes of a declared class or interface: the permitted subclasses of a
 * sealed one, those of {@link RpcSubtypes}, and those in the options of the application.
 */
final class Subtypes {

	/** Declared types that accept values of many types. */
	private static final Set<Class<?>> DECLARED = Set.of(Object.class, Number.class, CharSequence.class,
			Comparable.class, Serializable.class, Enum.class, Record.class, Temporal.class, TemporalAccessor.class,
			TemporalAmount.class);

	private final TypeOptions options;

	Subtypes(TypeOptions options) {
		this.options = options;
	}

	/**
	 * Returns true for {@code Object} and the like, which accept values of many types.
	 */
	static boolean isAny(Class<?> declared) {
		return DECLARED.contains(declared);
	}

	/** Returns true if subtypes are known. */
	boolean has(Class<?> base) {
		return !direct(base).isEmpty();
	}

	/**
	 * Returns the instantiable classes of a declared type, sorted by name. The type
	 * itself is included unless it is abstract.
	 */
	List<Class<?>> of(Class<?> base, TypePath path) {
		Walk walk = new Walk(path);
		walk.visit(base);
		return walk.sorted();
	}

	/**
	 * Returns the classes that the application declares for some bases, sorted by name.
	 */
	List<Class<?>> declaredFor(Predicate<Class<?>> bases, TypePath path) {
		Walk walk = new Walk(path);
		this.options.subtypes().keySet().stream().filter(bases).forEach(walk::visitSubtypes);
		return walk.sorted();
	}

	/** Returns the direct subtypes, each with the place that names it. */
	private Map<Class<?>, String> direct(Class<?> base) {
		Map<Class<?>, String> direct = new LinkedHashMap<>();
		if (base.isEnum()) {
			return direct;
		}
		this.options.subtypes()
			.getOrDefault(base, Set.of())
			.forEach((each) -> direct.put(each, this.options.subtypesOf(base)));
		RpcSubtypes annotation = base.getAnnotation(RpcSubtypes.class);
		if (annotation != null) {
			Arrays.stream(annotation.value()).forEach((each) -> direct.put(each, "@RpcSubtypes of " + base.getName()));
		}
		if (base.isSealed() && !ClassFields.isPlatform(base)) {
			Arrays.stream(base.getPermittedSubclasses())
				.forEach((each) -> direct.put(each, "the sealed " + base.getName()));
		}
		return direct;
	}

	/** Walk from a base down to its instantiable classes. */
	private final class Walk {

		private final TypePath path;

		private final Set<Class<?>> seen = new HashSet<>();

		private final Set<Class<?>> found = new TreeSet<>(Comparator.comparing(Class::getName));

		private Walk(TypePath path) {
			this.path = path;
		}

		private List<Class<?>> sorted() {
			return new ArrayList<>(this.found);
		}

		private void visit(Class<?> type) {
			if (!this.seen.add(type)) {
				return;
			}
			if (type.isEnum() || !Modifier.isAbstract(type.getModifiers())
					|| Subtypes.this.options.delegates().containsKey(type)) {
				this.found.add(type);
			}
			else if (!has(type)) {
				throw Refusals.noSubtypes(type, this.path);
			}
			visitSubtypes(type);
		}

		private void visitSubtypes(Class<?> base) {
			direct(base).forEach((each, source) -> {
				check(base, each, source);
				visit(each);
			});
		}

		private void check(Class<?> base, Class<?> subtype, String source) {
			String fault = fault(base, subtype);
			if (fault != null) {
				throw this.path.refuse(subtype, "%s names it, and it is %s".formatted(source, fault),
						"Name public subclasses of %s that are neither local nor anonymous. If it is not your class, give a Delegate for it."
							.formatted(base.getTypeName()));
			}
		}

		private static @Nullable String fault(Class<?> base, Class<?> subtype) {
			if (!base.isAssignableFrom(subtype)) {
				return "not a subclass of " + base.getName();
			}
			boolean isConcrete = subtype.isEnum() || !Modifier.isAbstract(subtype.getModifiers());
			return isConcrete ? Refusals.outOfReach(subtype) : null;
		}

	}

}
