package io.rpcboot.serialization.types;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.contract.ContractType.Kind;

/**
 * Finds out how an instance of a class with fields is made.
 */
final class StructFactory {

	private StructFactory() {
	}

	static StructClass create(ResolvedType type, List<FieldDefinition> fields, TypePath path) {
		return type.raw().isRecord() ? record(type, path) : bean(type, fields, path);
	}

	private static StructClass record(ResolvedType type, TypePath path) {
		RecordComponent[] components = type.raw().getRecordComponents();
		Class<?>[] parameters = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		try {
			Constructor<?> canonical = type.raw().getDeclaredConstructor(parameters);
			return new StructClass(type, Kind.RECORD, Creator.of(ClassFields.lookup(type.raw(), path), canonical,
					Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new)));
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException("every record has its canonical constructor", ex);
		}
	}

	private static StructClass bean(ResolvedType type, List<FieldDefinition> fields, TypePath path) {
		Class<?> raw = type.raw();
		MethodHandles.Lookup lookup = ClassFields.lookup(raw, path);
		Constructor<?> noArg = Arrays.stream(raw.getDeclaredConstructors())
			.filter((each) -> each.getParameterCount() == 0)
			.findFirst()
			.orElse(null);
		if (noArg != null && fields.stream().noneMatch(FieldDefinition::isFinal)) {
			return new StructClass(type, () -> noArg(lookup, noArg));
		}
		Creator creator = ConstructorFinder.byName(raw, lookup, fields, Map.of(), (parameter) -> false);
		if (creator == null) {
			throw path.refuse(raw, (noArg == null)
					? "it has neither a no-arg constructor nor one whose parameters have the names and types of its fields"
					: "it has final fields and no constructor that takes them by the names and types of the fields",
					"Add such a constructor and compile with -parameters, or make the class a record.");
		}
		return new StructClass(type, Kind.BEAN, creator);
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
