package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.protostuff.runtime.Delegate;

import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.ContractType;

import org.jspecify.annotations.Nullable;

/**
 * All types that can be reached from the methods of one service, each with its schema.
 * Any type that is not here cannot be on the wire. For one thread, at start-up.
 */
final class ClosedWorld {

	/** Deeper type arguments come only from a class that wraps its own again. */
	private static final int MAX_TYPE_DEPTH = 16;

	private final Map<ResolvedType, ValueType> types = new LinkedHashMap<>();

	private final Map<Class<?>, ValueType> values;

	ClosedWorld(Collection<Delegate<?>> delegates) {
		this.values = ScalarTypes.all();
		BuiltInTypes.all().forEach((each) -> this.values.put(each.javaType(), each));
		delegates.forEach((each) -> this.values.put(each.typeClass(), new DelegateType(each)));
	}

	/** The definitions of the types that were found. */
	List<ContractType> definitions() {
		List<ContractType> definitions = new ArrayList<>();
		this.types.values().forEach((each) -> {
			ContractType definition = each.definition();
			if (definition != null) {
				definitions.add(definition);
			}
		});
		return definitions;
	}

	ValueType resolve(ResolvedType type, TypePath path) {
		ValueType value = this.values.get(type.raw());
		if (value == null) {
			value = this.types.get(type);
		}
		if (value == null) {
			requireDepth(type, 0, path);
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
		Supplier<Collection<@Nullable Object>> collection = Containers.collection(raw);
		if (collection != null) {
			return new CollectionType(raw, collection, argument(type, 0, path, "[]"));
		}
		Supplier<Map<@Nullable Object, @Nullable Object>> map = Containers.map(raw);
		if (map != null) {
			return new MapType(raw, map, argument(type, 0, path, "{key}"), argument(type, 1, path, "{}"));
		}
		if (raw == Optional.class) {
			return new OptionalType(argument(type, 0, path, "?"));
		}
		Refusals.check(raw, path);
		if (raw.isEnum()) {
			return new EnumType(raw);
		}
		return createStruct(type, path);
	}

	private ValueType argument(ResolvedType type, int index, TypePath path, String step) {
		if (type.arguments().isEmpty()) {
			throw path.refuse(type.raw(), "it has no type arguments, which would say what it holds",
					"Give the type arguments, such as List<User> for List.");
		}
		return resolve(type.arguments().get(index), path.element(step));
	}

	private StructType createStruct(ResolvedType type, TypePath path) {
		List<FieldDefinition> fields = ClassFields.of(type.raw(), path);
		StructType struct = type.raw().isRecord() ? record(type, path) : bean(type, fields, path);
		this.types.put(type, struct);
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

	private static StructType record(ResolvedType type, TypePath path) {
		RecordComponent[] components = type.raw().getRecordComponents();
		Class<?>[] parameters = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		try {
			Constructor<?> canonical = type.raw().getDeclaredConstructor(parameters);
			return new ConstructedType(type, Kind.RECORD, Creator.of(ClassFields.lookup(type.raw(), path), canonical,
					Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new)));
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException("every record has its canonical constructor", ex);
		}
	}

	private static StructType bean(ResolvedType type, List<FieldDefinition> fields, TypePath path) {
		Class<?> raw = type.raw();
		MethodHandles.Lookup lookup = ClassFields.lookup(raw, path);
		Constructor<?> noArg = Arrays.stream(raw.getDeclaredConstructors())
			.filter((each) -> each.getParameterCount() == 0)
			.findFirst()
			.orElse(null);
		if (noArg != null && fields.stream().noneMatch(FieldDefinition::isFinal)) {
			return new BeanType(type, noArg(lookup, noArg));
		}
		Creator creator = ConstructorFinder.byName(raw, lookup, fields, Map.of(), (parameter) -> false);
		if (creator == null) {
			throw path.refuse(raw, (noArg == null)
					? "it has neither a no-arg constructor nor one whose parameters have the names and types of its fields"
					: "it has final fields and no constructor that takes them by the names and types of the fields",
					"Add such a constructor and compile with -parameters, or make the class a record.");
		}
		return new ConstructedType(type, Kind.BEAN, creator);
	}

	private static MethodHandle noArg(MethodHandles.Lookup lookup, Constructor<?> constructor) {
		try {
			return lookup.unreflectConstructor(constructor).asType(MethodType.methodType(Object.class));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("the lookup has all access to " + constructor, ex);
		}
	}

}
