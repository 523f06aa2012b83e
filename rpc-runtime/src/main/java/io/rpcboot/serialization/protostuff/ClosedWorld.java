package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.protostuff.runtime.Delegate;

import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.ContractType;

import org.jspecify.annotations.Nullable;

/**
 * All types that can be reached from the methods of one service, each with its schema.
 * Any type that is not here cannot be on the wire. For one thread, at start-up.
 */
final class ClosedWorld {

	/** Deeper type arguments come only from a class that wraps its own again. */
	private static final int MAX_TYPE_DEPTH = 16;

	/** What stands for a type where it is declared. */
	private final Map<ResolvedType, ValueType> types = new LinkedHashMap<>();

	/** Classes and enums, each without the subtypes that may stand in its place. */
	private final Map<ResolvedType, ValueType> exact = new LinkedHashMap<>();

	private final List<AnyType> anyTypes = new ArrayList<>();

	private final Map<Class<?>, ValueType> values;

	private final Subtypes subtypes;

	/** Where the first type of {@link #anyTypes} is declared. */
	private @Nullable TypePath anyPath;

	ClosedWorld(Collection<Delegate<?>> delegates, Subtypes subtypes) {
		this.subtypes = subtypes;
		this.values = ScalarTypes.all();
		BuiltInTypes.all().forEach((each) -> this.values.put(each.javaType(), each));
		PrimitiveArrays.all().forEach((each) -> this.values.put(each.javaType(), each));
		delegates.forEach((each) -> this.values.put(each.typeClass(), new DelegateType(each)));
	}

	/** The definitions of the types that were found. */
	List<ContractType> definitions() {
		Set<ValueType> all = new LinkedHashSet<>(this.types.values());
		all.addAll(this.exact.values());
		return all.stream().map(ValueType::definition).filter(Objects::nonNull).toList();
	}

	/** The types that were found, apart from built-in values, each with its class. */
	void forEachType(BiConsumer<Class<?>, ValueType> visitor) {
		this.types.forEach((type, value) -> visitor.accept(type.raw(), value));
		this.exact.forEach((type, value) -> visitor.accept(type.raw(), value));
	}

	ValueType resolve(ResolvedType type, TypePath path) {
		ValueType value = this.values.get(type.raw());
		if (value == null) {
			value = this.types.get(type);
		}
		if (value == null) {
			value = create(type, path);
			this.types.putIfAbsent(type, value);
		}
		return value;
	}

	private static void requireDepth(ResolvedType type, int depth, TypePath path) {
		if (depth > MAX_TYPE_DEPTH) {
			throw path.refuse(type.raw(), "its type arguments nest more than %d deep".formatted(MAX_TYPE_DEPTH),
					"Do not wrap a class's own type parameter again within the class.");
		}
		type.arguments().forEach((each) -> requireDepth(each, depth + 1, path));
	}

	private ValueType create(ResolvedType type, TypePath path) {
		Class<?> raw = type.raw();
		CollectionKind collection = CollectionKinds.of(type);
		if (collection != null) {
			return new CollectionType(collection, element(type, collection.isDistinct(), "[]", path));
		}
		MapKind map = MapKinds.of(type);
		if (map != null) {
			ResolvedType entries = MapKinds.withArguments(type);
			return new MapType(map, key(entries, path), argument(entries, 1, path, "{}"));
		}
		Function<ValueType, ValueType> holder = Containers.holder(raw);
		if (holder != null) {
			return holder.apply(argument(type, 0, path, "?"));
		}
		if (raw.isArray()) {
			return new ArrayType(raw.getComponentType(), resolve(type.component(), path.element("[]")));
		}
		if (AnyWorld.isAny(raw)) {
			return any(raw, path);
		}
		return this.subtypes.has(raw) ? base(type, path) : exact(type, path);
	}

	private ValueType any(Class<?> raw, TypePath path) {
		ValueType known = this.types.get(ResolvedType.of(raw));
		if (known != null) {
			return known;
		}
		if (this.anyPath == null) {
			this.anyPath = path;
		}
		AnyType any = new AnyType(raw);
		this.types.put(ResolvedType.of(raw), any);
		this.anyTypes.add(any);
		return any;
	}

	private ValueType base(ResolvedType type, TypePath path) {
		if (type.arguments().size() < type.raw().getTypeParameters().length) {
			throw withoutArguments(type, path);
		}
		BaseType base = new BaseType(type);
		this.types.put(type, base);
		List<Choice> choices = new ArrayList<>();
		for (Class<?> each : this.subtypes.of(type.raw(), path)) {
			TypePath subtypePath = path.element("(" + each.getSimpleName() + ")");
			ResolvedType subtype = Unifier.subtype(type, each, subtypePath);
			if (subtype != null) {
				choices.add(new Choice(choices.size() + 1, each, exact(subtype, subtypePath)));
			}
		}
		if (choices.isEmpty()) {
			throw path.refuse(type.raw(), "no class of which there are instances can stand for " + type,
					"Declare subtypes that fit its type arguments.");
		}
		base.link(choices);
		return base;
	}

	/** A class alone, whatever its subtypes. */
	private ValueType exact(ResolvedType type, TypePath path) {
		ValueType known = this.values.get(type.raw());
		if (known == null) {
			known = this.exact.get(type);
		}
		if (known != null) {
			return known;
		}
		requireDepth(type, 0, path);
		Refusals.check(type.raw(), path);
		if (!type.raw().isEnum()) {
			return createStruct(type, path);
		}
		EnumType created = new EnumType(type.raw());
		this.exact.put(type, created);
		return created;
	}

	/** Find what may stand where {@code Object} is declared, after all else was found. */
	void link() {
		if (this.anyPath == null) {
			return;
		}
		for (Class<?> each : this.subtypes.declaredFor(AnyWorld::isAny, this.anyPath)) {
			exact(ResolvedType.of(each), this.anyPath.element("(" + each.getSimpleName() + ")"));
		}
		List<ValueType> containers = new ArrayList<>();
		if (this.anyTypes.stream().anyMatch(AnyType::hasContainers)) {
			for (ResolvedType each : AnyWorld.containers()) {
				containers.add(resolve(each, this.anyPath));
			}
		}
		AnyWorld world = AnyWorld.of(this.values, containers, this.exact);
		this.anyTypes.forEach((each) -> each.link(world));
	}

	private ValueType key(ResolvedType type, TypePath path) {
		ValueType key = element(type, true, "{key}", path);
		return (key instanceof AnyType any) ? any.asKey() : key;
	}

	/** The first type argument. */
	private ValueType element(ResolvedType type, boolean isHashed, String step, TypePath path) {
		if (isHashed) {
			Refusals.checkHashed(type, path.element(step));
		}
		return argument(type, 0, path, step);
	}

	private ValueType argument(ResolvedType type, int index, TypePath path, String step) {
		if (type.arguments().isEmpty()) {
			throw withoutArguments(type, path);
		}
		return resolve(type.arguments().get(index), path.element(step));
	}

	private static UnsupportedTypeException withoutArguments(ResolvedType type, TypePath path) {
		return path.refuse(type.raw(), "it has no type arguments, which would say what it holds",
				"Give the type arguments, such as List<User> for List.");
	}

	private StructType createStruct(ResolvedType type, TypePath path) {
		List<FieldDefinition> fields = ClassFields.of(type.raw(), path);
		StructType struct = StructFactory.create(type, fields, path);
		this.exact.put(type, struct);
		struct.link(fields(type, fields, 0, path));
		return struct;
	}

	/** The fields of a class, whose types may lead back to it. */
	List<Field> fields(ResolvedType type, List<FieldDefinition> definitions, int shift, TypePath path) {
		TypeBindings bindings = TypeBindings.of(type);
		return definitions.stream().map((each) -> {
			TypePath fieldPath = path.field(each.name());
			return each.create(each.number() + shift,
					resolve(bindings.resolve(each.field().getGenericType(), fieldPath), fieldPath));
		}).toList();
	}

}
