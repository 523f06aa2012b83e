package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType.Kind;

import org.jspecify.annotations.Nullable;

/**
 * Makes the schemas of declared exceptions: the message and the fields that the class and
 * its superclasses outside the JDK declare; neither cause nor stack trace. An exception
 * is rebuilt by a constructor that takes fields, {@code message} and {@code cause} by the
 * names of its parameters, else by one of {@code (String)}, {@code (String, Throwable)}
 * and {@code ()}; the fields that it does not take are set afterwards, the cause is null.
 */
final class ExceptionTypes {

	private static final String MESSAGE = "message";

	private final Map<Class<?>, StructType> types = new HashMap<>();

	private final ClosedWorld world;

	ExceptionTypes(ClosedWorld world) {
		this.world = world;
	}

	Iterable<StructType> types() {
		return this.types.values();
	}

	StructType resolve(Class<?> type, TypePath path) {
		StructType known = this.types.get(type);
		if (known != null) {
			return known;
		}
		Refusals.checkException(type, path);
		List<FieldDefinition> fields = ClassFields.of(type, path);
		boolean ownMessage = fields.stream().anyMatch((each) -> each.name().equals(MESSAGE));
		Field message = Fields.message(ownMessage ? ContractMember.MESSAGE : MESSAGE);
		ConstructedType struct = new ConstructedType(ResolvedType.of(type), Kind.EXCEPTION,
				creator(type, fields, message.name(), path));
		this.types.put(type, struct);
		List<Field> linked = new ArrayList<>(List.of(message));
		linked.addAll(this.world.fields(ResolvedType.of(type), fields, MessageAccess.NUMBER, path));
		struct.link(linked);
		return struct;
	}

	private static Creator creator(Class<?> type, List<FieldDefinition> fields, String message, TypePath path) {
		MethodHandles.Lookup lookup = ClassFields.isPlatform(type) ? MethodHandles.publicLookup()
				: ClassFields.lookup(type, path);
		Map<String, Class<?>> named = new HashMap<>(Map.of(message, String.class));
		Creator creator = ConstructorFinder.byName(type, lookup, fields, named, ExceptionTypes::isCause);
		if (creator == null && fields.stream().noneMatch(FieldDefinition::isFinal)) {
			creator = bySignature(type, lookup, message);
		}
		if (creator == null) {
			throw path.refuse(type, "it has no constructor by which it could be rebuilt",
					"Add a constructor that takes its final fields and 'message' by these names and compile with -parameters, or one of (String), (String, Throwable) and ().");
		}
		return creator;
	}

	private static boolean isCause(Parameter parameter) {
		return parameter.getType() == Throwable.class && parameter.getName().equals("cause");
	}

	private static @Nullable Creator bySignature(Class<?> type, MethodHandles.Lookup lookup, String message) {
		Constructor<?> constructor = find(type, String.class);
		if (constructor != null) {
			return Creator.of(lookup, constructor, message);
		}
		constructor = find(type, String.class, Throwable.class);
		if (constructor != null) {
			return Creator.of(lookup, constructor, message, "");
		}
		constructor = find(type);
		return (constructor == null) ? null : Creator.of(lookup, constructor);
	}

	private static @Nullable Constructor<?> find(Class<?> type, Class<?>... parameters) {
		return Arrays.stream(type.getDeclaredConstructors())
			.filter((each) -> Arrays.equals(each.getParameterTypes(), parameters))
			.filter((each) -> !ClassFields.isPlatform(type) || Modifier.isPublic(each.getModifiers()))
			.findFirst()
			.orElse(null);
	}

}
