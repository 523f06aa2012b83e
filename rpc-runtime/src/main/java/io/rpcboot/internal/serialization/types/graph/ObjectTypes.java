package io.rpcboot.internal.serialization.types.graph;

import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.net.URL;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

import io.rpcboot.internal.serialization.types.graph.Node.Option;
import io.rpcboot.internal.serialization.types.kind.Containers;
import io.rpcboot.internal.serialization.types.kind.Proxies;
import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Types that a value may have where a service declares {@code Object} and the like: value
 * types, containers of such values, and classes that the service reaches. Each has one
 * number in the whole service.
 */
public final class ObjectTypes {

	static final ObjectTypes EMPTY = ofSubtypes(List.of());

	/** Types with the lowest numbers, because the tags of the first 15 have one byte. */
	private static final List<Class<?>> FREQUENT = List.of(String.class, Integer.class, Long.class, Double.class,
			Boolean.class, BigDecimal.class, Instant.class, LocalDate.class, LocalDateTime.class, UUID.class);

	/**
	 * Value types without a number. The hash code of a URL asks the network, and the
	 * value may be a key.
	 */
	private static final Set<Class<?>> EXCLUDED = Set.of(Void.class, URL.class);

	/**
	 * Kinds of container, and the class that arrives for each. Elements, keys and values
	 * are {@code Object}. A type without type parameters, such as an array, arrives as
	 * itself.
	 */
	private static final Map<Class<?>, Class<?>> CONTAINERS = kinds();

	private final List<Option> options;

	private final Map<Class<?>, Option> byClass = new HashMap<>();

	/** Options that carry subclasses too, narrower kinds first. */
	private final List<Option> kinds = new ArrayList<>();

	/**
	 * Classes that the service reaches with different type arguments, which have no
	 * number.
	 */
	private final Map<Class<?>, List<ResolvedType>> ambiguous;

	private ObjectTypes(List<Option> options, Map<Class<?>, List<ResolvedType>> ambiguous) {
		this.options = options;
		this.ambiguous = ambiguous;
		for (Option each : options) {
			this.byClass.put(each.javaType(), each);
			addKind(each);
		}
	}

	/** Creates the subtypes of a base. A class with fields carries exactly its class. */
	public static ObjectTypes ofSubtypes(List<Option> options) {
		return new ObjectTypes(options, Map.of());
	}

	private void addKind(Option option) {
		if (option.type() instanceof StructNode || Modifier.isFinal(option.kind().getModifiers())) {
			return;
		}
		int at = 0;
		while (at < this.kinds.size() && !this.kinds.get(at).kind().isAssignableFrom(option.kind())) {
			at++;
		}
		this.kinds.add(at, option);
	}

	private static Map<Class<?>, Class<?>> kinds() {
		Map<Class<?>, Class<?>> kinds = new LinkedHashMap<>();
		kinds.put(List.class, ArrayList.class);
		kinds.put(Map.class, LinkedHashMap.class);
		kinds.put(Set.class, LinkedHashSet.class);
		kinds.put(SortedMap.class, TreeMap.class);
		kinds.put(SortedSet.class, TreeSet.class);
		kinds.put(Optional.class, Optional.class);
		kinds.put(ArrayDeque.class, ArrayDeque.class);
		kinds.put(PriorityQueue.class, PriorityQueue.class);
		for (Class<?> each : List.of(Object[].class, String[].class, Integer[].class, Long[].class, Double[].class,
				Boolean[].class, Short[].class, Byte[].class, Character[].class, Float[].class)) {
			kinds.put(each, each);
		}
		return kinds;
	}

	/**
	 * Numbers the types.
	 * @param values the value types
	 * @param containers the nodes of {@link #containers()}, empty if no declared type
	 * accepts a container
	 * @param reached the classes that the service reaches
	 */
	public static ObjectTypes of(Map<Class<?>, Node> values, List<Node> containers, Map<ResolvedType, Node> reached) {
		List<Option> options = new ArrayList<>();
		FREQUENT.forEach((each) -> add(options, each, each, values.get(each)));
		Iterator<Map.Entry<Class<?>, Class<?>>> kinds = CONTAINERS.entrySet().iterator();
		for (Node each : containers) {
			Map.Entry<Class<?>, Class<?>> kind = kinds.next();
			add(options, kind.getKey(), kind.getValue(), each);
		}
		values.keySet()
			.stream()
			.filter((each) -> !each.isPrimitive() && !EXCLUDED.contains(each) && !FREQUENT.contains(each))
			.sorted(Comparator.comparing(Class::getName))
			.forEach((each) -> add(options, each, each, values.get(each)));
		Map<Class<?>, List<ResolvedType>> forms = new TreeMap<>(Comparator.comparing(Class::getName));
		reached.keySet().forEach((each) -> forms.computeIfAbsent(each.raw(), (raw) -> new ArrayList<>()).add(each));
		Map<Class<?>, List<ResolvedType>> ambiguous = new HashMap<>();
		forms.forEach((raw, types) -> {
			if (types.size() > 1) {
				ambiguous.put(raw, types);
			}
			else {
				add(options, raw, raw, reached.get(types.get(0)));
			}
		});
		return new ObjectTypes(List.copyOf(options), ambiguous);
	}

	private static void add(List<Option> options, Class<?> kind, Class<?> javaType, @Nullable Node type) {
		options.add(Option.of(options.size() + 1, kind, javaType, Objects.requireNonNull(type)));
	}

	/** Returns the containers, whose elements, keys and values are {@code Object}. */
	public static List<ResolvedType> containers() {
		ResolvedType any = ResolvedType.of(Object.class);
		return CONTAINERS.keySet()
			.stream()
			.map((each) -> new ResolvedType(each, Collections.nCopies(each.getTypeParameters().length, any)))
			.toList();
	}

	/**
	 * Returns true if an instance of any container can be assigned to a declared type.
	 */
	public static boolean hasContainers(Class<?> declared) {
		return CONTAINERS.values().stream().anyMatch(declared::isAssignableFrom);
	}

	/** Returns true if only types of the closed world compute the hash code. */
	static boolean isKey(Option option) {
		return (option.type() instanceof StructNode struct) ? struct.type().kind() == Kind.RECORD
				: !option.kind().isArray() && !CONTAINERS.containsKey(option.kind());
	}

	/** Returns all options, by rising number. */
	List<Option> options() {
		return this.options;
	}

	/**
	 * Finds the option of a value, null if there is none. A constant of an enum may have
	 * a class of its own. A set or map that a comparator sorts is carried as one that
	 * keeps its order.
	 */
	@Nullable Option find(Object value) {
		Option exact = this.byClass
			.get((value instanceof Enum<?> constant) ? constant.getDeclaringClass() : value.getClass());
		boolean isSorted = Containers.hasOwnOrder(value);
		if (exact != null && !isSorted) {
			return exact;
		}
		for (Option each : this.kinds) {
			if (each.kind().isInstance(value) && !(isSorted && isSorted(each.kind()))) {
				return each;
			}
		}
		return (exact != null) ? exact : this.byClass.get(Proxies.carriedClass(value));
	}

	private static boolean isSorted(Class<?> kind) {
		return SortedSet.class.isAssignableFrom(kind) || SortedMap.class.isAssignableFrom(kind);
	}

	/** Returns the remedy for a class that is not carried, for a message. */
	String remedy(Class<?> type, String option) {
		List<ResolvedType> forms = this.ambiguous.get(type);
		if (forms != null) {
			return "one meaning of the class, which the service has as "
					+ forms.stream().map(ResolvedType::toString).sorted().collect(Collectors.joining(" and as "));
		}
		return "a value type, a List, Set or Map, or a class that the service reaches; more are declared by " + option;
	}

}
