package io.rpcboot.internal.serialization.types.walk;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.rpcboot.internal.serialization.types.kind.ConstantCreator;
import io.rpcboot.internal.serialization.types.kind.Creator;
import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.internal.serialization.types.kind.StructClass;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import io.rpcboot.serialization.contract.ContractType.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Finds the constructor of a class with fields.
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
			return new StructClass(type, Kind.RECORD, new Creator(ClassFields.lookup(type.raw(), path), canonical,
					Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new)), path);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException("every record has its canonical constructor", ex);
		}
	}

	private static StructClass bean(ResolvedType type, List<FieldDefinition> fields, TypePath path) {
		Class<?> raw = type.raw();
		MethodHandles.Lookup lookup = ClassFields.lookup(raw, path);
		Creator known = KotlinTypes.creator(raw, lookup, fields);
		if (known == null && isConstant(raw)) {
			known = new ConstantCreator(lookup, raw.getDeclaredConstructors()[0]);
		}
		if (known != null) {
			return new StructClass(type, Kind.BEAN, known, path);
		}
		Constructor<?> noArg = Arrays.stream(raw.getDeclaredConstructors())
			.filter((each) -> each.getParameterCount() == 0)
			.findFirst()
			.orElse(null);
		List<FieldDefinition> finals = fields.stream().filter(FieldDefinition::isFinal).toList();
		Creator creator = (noArg != null && finals.isEmpty()) ? null
				: byName(raw, lookup, fields, Map.of(), (parameter) -> false);
		if (noArg != null && finals.stream().noneMatch(FieldDefinition::isFixed) && !takesAll(creator, finals)) {
			return new StructClass(type, Kind.BEAN, new Creator(lookup, noArg), path);
		}
		if (creator == null) {
			throw Refusals.refuse(raw, path, (noArg == null)
					? "it has neither a no-arg constructor nor one whose parameters have the names and types of its fields"
					: "it has final fields and no constructor that takes them by the names and types of the fields (collections and maps need none)",
					KotlinTypes.isKotlin(raw)
							? "Compile Kotlin with -java-parameters (javaParameters = true), so that the constructor has the names of its parameters."
							: "Add such a constructor and compile with -parameters, or make the class a record. If it is not your class, give a Delegate for it.");
		}
		return new StructClass(type, Kind.BEAN, creator, path);
	}

	/**
	 * Returns true for an {@code object} of Kotlin and a class like it, of which there is
	 * one instance: a final class with a constant of itself, one private constructor
	 * without parameters, and no fields of its own.
	 */
	private static boolean isConstant(Class<?> type) {
		Constructor<?>[] constructors = type.getDeclaredConstructors();
		boolean isAlone = constructors.length == 1 && constructors[0].getParameterCount() == 0
				&& Modifier.isPrivate(constructors[0].getModifiers()) && Modifier.isFinal(type.getModifiers());
		return isAlone
				&& Arrays.stream(type.getDeclaredFields()).allMatch((each) -> Modifier.isStatic(each.getModifiers()))
				&& Arrays.stream(type.getDeclaredFields())
					.anyMatch((each) -> each.getName().equals(ConstantCreator.INSTANCE) && each.getType() == type
							&& Modifier.isFinal(each.getModifiers()));
	}

	private static boolean takesAll(@Nullable Creator creator, List<FieldDefinition> fields) {
		return creator != null && fields.stream().allMatch((each) -> creator.takes(each.name()));
	}

	/**
	 * Finds the constructor that takes all fixed fields and nothing unknown. Of several,
	 * the one with most final fields, then most extra values, then most fields, then
	 * fewest other parameters.
	 * @param extras types of additional values by name
	 * @param constant selects parameters that get null
	 * @return null if there is none
	 */
	static @Nullable Creator byName(Class<?> type, MethodHandles.Lookup lookup, List<FieldDefinition> fields,
			Map<String, Class<?>> extras, Predicate<Parameter> constant) {
		Map<String, Class<?>> known = new HashMap<>(extras);
		fields.forEach((field) -> known.put(field.name(), field.rawType()));
		Map<String, Class<?>> finals = new HashMap<>();
		fields.stream().filter(FieldDefinition::isFinal).forEach((field) -> finals.put(field.name(), field.rawType()));
		return constructors(type).filter((each) -> each.getParameterCount() > 0)
			.filter((each) -> takesOnly(each, known, constant) && takesAllFixed(each, fields))
			.max(Comparator.<Constructor<?>>comparingLong((each) -> taken(each, finals))
				.thenComparing((each) -> taken(each, extras))
				.thenComparing((each) -> taken(each, known))
				.thenComparing((each) -> -each.getParameterCount())
				.thenComparing(Constructor::toString))
			.map((each) -> new Creator(lookup, each,
					Arrays.stream(each.getParameters())
						.map((parameter) -> constant.test(parameter) ? "" : parameter.getName())
						.toArray(String[]::new)))
			.orElse(null);
	}

	/**
	 * Returns the constructors that can be called; of a class of the JDK the public ones.
	 */
	static Stream<Constructor<?>> constructors(Class<?> type) {
		return Arrays.stream(type.getDeclaredConstructors())
			.filter((each) -> !ClassFields.isPlatform(type) || Modifier.isPublic(each.getModifiers()));
	}

	private static boolean takesOnly(Constructor<?> constructor, Map<String, Class<?>> known,
			Predicate<Parameter> constant) {
		return Arrays.stream(constructor.getParameters())
			.allMatch((each) -> each.isNamePresent()
					&& (each.getType() == known.get(each.getName()) || constant.test(each)));
	}

	private static boolean takesAllFixed(Constructor<?> constructor, List<FieldDefinition> fields) {
		List<String> names = Arrays.stream(constructor.getParameters()).map(Parameter::getName).toList();
		return fields.stream().filter(FieldDefinition::isFixed).allMatch((field) -> names.contains(field.name()));
	}

	private static long taken(Constructor<?> constructor, Map<String, Class<?>> values) {
		return Arrays.stream(constructor.getParameters()).filter((each) -> values.containsKey(each.getName())).count();
	}

}
