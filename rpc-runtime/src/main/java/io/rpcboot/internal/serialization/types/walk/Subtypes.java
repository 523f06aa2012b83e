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
 * Which classes may stand where a class or interface is declared: those that it permits,
 * those of {@link RpcSubtypes} and those that the application declares.
 */
final class Subtypes {

	/** The declared types that do not say what arrives. */
	private static final Set<Class<?>> DECLARED = Set.of(Object.class, Number.class, CharSequence.class,
			Comparable.class, Serializable.class, Enum.class, Record.class, Temporal.class, TemporalAccessor.class,
			TemporalAmount.class);

	private final TypeOptions options;

	Subtypes(TypeOptions options) {
		this.options = options;
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
		this.options.subtypes().keySet().stream().filter(bases).forEach(walk::visitSubtypes);
		return walk.sorted();
	}

	/** Each with who names it. */
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
