package io.rpcboot.internal.serialization.types.walk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.rpcboot.internal.serialization.types.graph.MethodNode.Thrown;
import io.rpcboot.internal.serialization.types.graph.Node.ValueNode;
import io.rpcboot.internal.serialization.types.graph.StructNode;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.kind.Creator;
import io.rpcboot.internal.serialization.types.kind.ExceptionCreator;
import io.rpcboot.internal.serialization.types.kind.ResolvedType;
import io.rpcboot.internal.serialization.types.kind.StructClass;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Creates nodes of declared exceptions. Carried are the message and the fields that the
 * class and its superclasses outside the JDK declare, neither cause nor stack trace. A
 * reader calls a constructor whose parameters have the names of fields, {@code message}
 * and {@code cause}, else one of {@code (String)}, {@code (String, Throwable)} and
 * {@code ()}. Remaining fields are set afterwards, the cause is null.
 */
final class ExceptionWalk {

	private static final String MESSAGE = "message";

	/** Name of a parameter that gets null: the cause. */
	private static final String NOTHING = "";

	private static final List<List<Class<?>>> SIGNATURES = List.of(List.of(String.class),
			List.of(String.class, Throwable.class), List.of());

	private final Map<Class<?>, StructNode> types = new HashMap<>();

	private final TypeWalk walk;

	ExceptionWalk(TypeWalk walk) {
		this.walk = walk;
	}

	Iterable<StructNode> types() {
		return this.types.values();
	}

	Thrown resolve(Class<?> type, TypePath path) {
		StructNode struct = this.types.get(type);
		if (struct == null) {
			struct = create(type, path);
		}
		return new Thrown(struct.definition(), struct);
	}

	private StructNode create(Class<?> type, TypePath path) {
		Refusals.checkException(type, path);
		List<FieldDefinition> fields = ClassFields.of(type, path);
		boolean ownMessage = fields.stream().anyMatch((each) -> each.name().equals(MESSAGE));
		String name = ownMessage ? ContractMember.MESSAGE : MESSAGE;
		StructField message = new StructField(0, new ContractMember(1, name, TypeRef.of(String.class.getName())),
				String.class, false, new Message());
		ResolvedType resolved = ResolvedType.of(type);
		StructNode struct = new StructNode(
				new StructClass(resolved, Kind.EXCEPTION, creator(type, fields, message.member().name(), path), path));
		this.types.put(type, struct);
		this.walk.link(struct, resolved, fields, path,
				List.of(new Part(message.member(), message, ValueNode.of(String.class))));
		return struct;
	}

	private static Creator creator(Class<?> type, List<FieldDefinition> fields, String message, TypePath path) {
		MethodHandles.Lookup lookup = ClassFields.isPlatform(type) ? MethodHandles.publicLookup()
				: ClassFields.lookup(type, path);
		Map<String, Class<?>> named = new HashMap<>(Map.of(message, String.class));
		Creator creator = StructFactory.byName(type, lookup, fields, named, ExceptionWalk::isCause);
		if (creator == null && fields.stream().noneMatch(FieldDefinition::isFixed)) {
			creator = bySignature(type, lookup, message);
		}
		if (creator == null) {
			throw path.refuse(type, "it has no constructor by which it could be rebuilt",
					"Add a constructor that takes its final fields and 'message' by these names and compile with -parameters, or one of (String), (String, Throwable) and ().");
		}
		if (!creator.takes(message) && hasMessage(type, fields)) {
			throw path.refuse(type, "its message would be lost, because the constructor that can rebuild it takes none",
					"Name the parameter that takes the message 'message' and compile with -parameters, add a constructor (String), or override getMessage.");
		}
		return (creator.takes(message) && !isMessageOverridden(type)) ? new ExceptionCreator(creator, message)
				: creator;
	}

	private static boolean isMessageOverridden(Class<?> type) {
		return Arrays.stream(type.getMethods())
			.anyMatch((each) -> each.getName().equals("getMessage") && each.getDeclaringClass() != Throwable.class);
	}

	/**
	 * Returns true if a constructor may build its message from a value that is not
	 * carried.
	 */
	private static boolean hasMessage(Class<?> type, List<FieldDefinition> fields) {
		Set<String> names = fields.stream().map(FieldDefinition::name).collect(Collectors.toSet());
		return !isMessageOverridden(type)
				&& StructFactory.constructors(type).anyMatch((each) -> makesMessage(each, names));
	}

	/**
	 * Returns true if a parameter is not a field; a cause counts only if it is the only
	 * parameter.
	 */
	private static boolean makesMessage(Constructor<?> constructor, Set<String> fields) {
		return Arrays.stream(constructor.getParameters())
			.filter((each) -> !fields.contains(each.getName()))
			.anyMatch((each) -> !Throwable.class.isAssignableFrom(each.getType())
					|| constructor.getParameterCount() == 1);
	}

	private static boolean isCause(Parameter parameter) {
		return parameter.getType() == Throwable.class && parameter.getName().equals("cause");
	}

	private static @Nullable Creator bySignature(Class<?> type, MethodHandles.Lookup lookup, String message) {
		List<Constructor<?>> constructors = StructFactory.constructors(type).toList();
		for (List<Class<?>> signature : SIGNATURES) {
			for (Constructor<?> each : constructors) {
				if (signature.equals(List.of(each.getParameterTypes()))) {
					return new Creator(lookup, each,
							Arrays.copyOf(new String[] { message, NOTHING }, signature.size()));
				}
			}
		}
		return null;
	}

	/** Access to the message of any exception. */
	private record Message() implements StructField.Access {

		@Override
		public MethodHandle getter() {
			try {
				return MethodHandles.publicLookup()
					.findVirtual(Throwable.class, "getMessage", MethodType.methodType(String.class))
					.asType(MethodType.methodType(String.class, Object.class));
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException("every exception has a message", ex);
			}
		}

		/** Returns a handle without effect, because a constructor takes the message. */
		@Override
		public MethodHandle setter() {
			return MethodHandles.empty(MethodType.methodType(void.class, Object.class, String.class));
		}

	}

}
