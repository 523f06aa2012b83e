package io.rpcboot.serialization.types;

import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcSubtypes;

import org.jspecify.annotations.Nullable;

/**
 * Which classes may stand where a class or interface is declared: those that it permits,
 * those of {@link RpcSubtypes} and those that the application declares.
 */
public final class Subtypes {

	static final String PROPERTY = "rpc.serialization.subtypes.";

	/** The declared types that do not say what arrives. */
	private static final Set<Class<?>> DECLARED = Set.of(Object.class, Number.class, CharSequence.class,
			Comparable.class, Serializable.class, Enum.class, Record.class, Temporal.class, TemporalAccessor.class,
			TemporalAmount.class);

	private final Map<Class<?>, Set<Class<?>>> declared = new LinkedHashMap<>();

	Subtypes(Map<Class<?>, ? extends Collection<Class<?>>> declared) {
		declared.forEach((base, each) -> this.declared.put(base, new LinkedHashSet<>(each)));
	}

	/**
	 * Check what an application declares.
	 * @param base a class or interface of the application, or {@code Object} and the like
	 * @param subtypes what may stand in its place
	 * @throws RpcConfigurationException if one is not a subclass of the base, or the base
	 * is a class of the JDK that has none
	 */
	public static void check(Class<?> base, Collection<Class<?>> subtypes) {
		String name = PROPERTY + base.getName();
		if (ClassFields.isPlatform(base) && !isAny(base)) {
			throw new RpcConfigurationException(
					"%s (expected: subtypes of a class or interface of your own, or of java.lang.Object)"
						.formatted(name),
					"Remove it.");
		}
		for (Class<?> each : subtypes) {
			if (!base.isAssignableFrom(each)) {
				throw new RpcConfigurationException(
						"%s: %s (expected: subclasses of %s)".formatted(name, each.getName(), base.getName()),
						"Remove %s, or let it extend or implement %s.".formatted(each.getName(), base.getName()));
			}
		}
	}

	/** Whether a declared type does not say what arrives. */
	static boolean isAny(Class<?> declared) {
		return DECLARED.contains(declared);
	}

	/** Whether subtypes are known. */
	boolean has(Class<?> base) {
		return !direct(base).isEmpty();
	}

	/**
	 * The classes that may stand where a type is declared, itself included unless it is
	 * abstract, by name.
	 */
	List<Class<?>> of(Class<?> base, TypePath path) {
		Walk walk = new Walk(path);
		walk.visit(base);
		return walk.sorted();
	}

	/** The classes that the application declares for types which have no other. */
	List<Class<?>> declaredFor(Predicate<Class<?>> bases, TypePath path) {
		Walk walk = new Walk(path);
		this.declared.keySet().stream().filter(bases).forEach(walk::visitSubtypes);
		return walk.sorted();
	}

	/** Each with who names it. */
	private Map<Class<?>, String> direct(Class<?> base) {
		Map<Class<?>, String> direct = new LinkedHashMap<>();
		if (base.isEnum()) {
			return direct;
		}
		this.declared.getOrDefault(base, Set.of()).forEach((each) -> direct.put(each, PROPERTY + base.getName()));
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

	/** From a base down to the classes of which there are instances. */
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
			if (type.isEnum() || !Modifier.isAbstract(type.getModifiers())) {
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
						"Name public subclasses of %s that are neither local nor anonymous.".formatted(base.getName()));
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
